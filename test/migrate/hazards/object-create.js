// The configuration inherits half of its settings.
window.esriGeowConfig = Object.create({ tokenExpiration: 60 });
esriGeowConfig.longTokenExpiration = 90;

// Defaulted.
window.esriGeowConfig = window.esriGeowConfig || {};
esriGeowConfig.tokenExpiration = esriGeowConfig.tokenExpiration || 30;
esriGeowConfig.longTokenExpiration = 60;

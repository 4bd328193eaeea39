// The configuration is a function with properties.
window.esriGeowConfig = () => {};
esriGeowConfig.tokenExpiration = 30;

// The configuration is a member of another object, and changed through it.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var portal = { app: {} };
portal.app.config = esriGeowConfig;
portal.app.config.tokenExpiration = 60;

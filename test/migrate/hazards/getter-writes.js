// Reading a property of another object writes to the configuration.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var portal = {
  get ready() {
    esriGeowConfig.tokenExpiration = 60;
    return true;
  },
};
if (portal.ready) esriGeowConfig.longTokenExpiration = 90;

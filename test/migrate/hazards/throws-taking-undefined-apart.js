// A missing object is taken apart, which ends the script.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
esriGeowConfig.tokenExpiration = 60;
var { minutes } = esriGeowConfig.session;
esriGeowConfig.longTokenExpiration = 120;

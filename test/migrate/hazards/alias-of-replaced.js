// The configuration is replaced, so that its older name changes nothing any more.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var old = esriGeowConfig;
window.esriGeowConfig = { tokenExpiration: 45 };
old.tokenExpiration = 60;

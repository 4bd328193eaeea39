// A key is deleted after it was set.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 60,
};
delete window.esriGeowConfig.tokenExpiration;

// Evaluated.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 60,
};
eval("esriGeowConfig.tokenExpiration = 99");

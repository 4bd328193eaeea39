// A timer sets what is set already.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
setTimeout(function () {
  esriGeowConfig.tokenExpiration = 30;
}, 0);

// A timer without a delay runs after the script.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
setTimeout(function () {
  esriGeowConfig.tokenExpiration = 60;
}, 0);
esriGeowConfig.tokenExpiration = 45;

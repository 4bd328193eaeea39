// A module runs after the script, so that it has the last word.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
define([], function () {
  esriGeowConfig.tokenExpiration = 60;
});
esriGeowConfig.tokenExpiration = 45;

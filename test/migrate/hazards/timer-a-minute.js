// A timer changes a setting when the page has been open for a minute.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
setTimeout(function () {
  esriGeowConfig.tokenExpiration = 60;
}, 60 * 1000);

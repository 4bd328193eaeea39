// A listener changes a setting when the page has loaded.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
window.addEventListener("load", function () {
  esriGeowConfig.tokenExpiration = 60;
}, false);

// Dojo calls a function when the page is ready.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
dojo.ready(function () {
  esriGeowConfig.tokenExpiration = 60;
});

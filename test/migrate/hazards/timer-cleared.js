// A timer is cleared before it runs.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var timer = setTimeout(function () {
  esriGeowConfig.tokenExpiration = 60;
}, 10);
clearTimeout(timer);

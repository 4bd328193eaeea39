// Of two timers the one with the longer delay has the last word.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
setTimeout(function () {
  esriGeowConfig.tokenExpiration = 60;
}, 40);
setTimeout(function () {
  esriGeowConfig.tokenExpiration = 45;
}, 5);

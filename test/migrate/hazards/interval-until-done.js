// An interval counts up and then clears itself.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var interval = setInterval(function () {
  if (++esriGeowConfig.tokenExpiration === 33) clearInterval(interval);
}, 5);

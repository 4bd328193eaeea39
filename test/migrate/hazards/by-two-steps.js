// A condition is kept in a variable, and asked for again in a function that runs later.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var isTest = /^test\./.test(location.hostname);
if (isTest) esriGeowConfig.tokenExpiration = 60;
setTimeout(function () {
  if (isTest) esriGeowConfig.longTokenExpiration = 120;
}, 10);

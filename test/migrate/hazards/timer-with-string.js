// setTimeout with a string of code.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 60,
};
setTimeout("esriGeowConfig.tokenExpiration = 99", 0);

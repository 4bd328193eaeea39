// Function made.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 60,
};
new Function("esriGeowConfig.tokenExpiration = 99")();

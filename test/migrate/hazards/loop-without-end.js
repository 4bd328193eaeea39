// A loop that never ends after the configuration is set.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
while (esriGeowConfig.tokenExpiration < 60) {}

// If then again.
window.esriGeowConfig = {
  tokenExpiration: 30,
};
if (navigator.onLine) esriGeowConfig.tokenExpiration = 99;
esriGeowConfig.tokenExpiration = 45;

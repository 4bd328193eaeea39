// What was set under a condition is set again without one.
window.esriGeowConfig = {
  tokenExpiration: 30,
};
if (navigator.onLine) esriGeowConfig.tokenExpiration = 99;
esriGeowConfig.tokenExpiration = 45;

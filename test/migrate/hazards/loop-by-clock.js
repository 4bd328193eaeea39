// A loop waits for the clock.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var begun = Date.now();
while (Date.now() - begun < 5) {}
esriGeowConfig.tokenExpiration = 60;

// A text that is no JSON ends the script.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
esriGeowConfig.longTokenExpiration = JSON.parse("{ minutes: 60 }").minutes;
esriGeowConfig.tokenExpiration = 60;

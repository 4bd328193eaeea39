// A promise that is kept already still waits for the end of the script.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
Promise.resolve(60).then(function (minutes) {
  esriGeowConfig.tokenExpiration = minutes;
});
esriGeowConfig.tokenExpiration = 45;

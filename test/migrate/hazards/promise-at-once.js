// What a promise is made with runs at once.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
new Promise(function (resolve) {
  esriGeowConfig.tokenExpiration = 60;
});
esriGeowConfig.tokenExpiration = 45;

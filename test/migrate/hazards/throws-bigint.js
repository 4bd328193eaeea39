// A big integer and a number cannot be added.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
esriGeowConfig.tokenExpiration = 30n + 30;

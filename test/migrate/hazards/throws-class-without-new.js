// A class cannot be called.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
class Portal {}
Portal();
esriGeowConfig.tokenExpiration = 60;

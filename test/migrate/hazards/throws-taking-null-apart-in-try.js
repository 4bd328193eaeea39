// Null is taken apart inside a try, and the script goes on behind it.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
try {
  var [first] = null;
  esriGeowConfig.tokenExpiration = 60;
} catch (e) {
  esriGeowConfig.tokenExpiration = 45;
}
esriGeowConfig.longTokenExpiration = 120;

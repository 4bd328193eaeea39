// Tried.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 60,
};
try {
  missing();
  esriGeowConfig.tokenExpiration = 99;
} catch (e) {
  esriGeowConfig.longTokenExpiration = 99;
}

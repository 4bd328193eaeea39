// A generator that nobody asks does nothing.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
function* change() {
  esriGeowConfig.tokenExpiration = 60;
  yield 1;
}
change();

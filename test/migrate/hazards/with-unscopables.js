// An object keeps with from seeing one of its names.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var tokenExpiration;
esriGeowConfig[Symbol.unscopables] = { tokenExpiration: true };
with (esriGeowConfig) {
  tokenExpiration = 60;
  longTokenExpiration = 120;
}

// A function is bound to the configuration and called under another name.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var set = function (key, value) {
  this[key] = value;
}.bind(esriGeowConfig, "tokenExpiration");
set(60);

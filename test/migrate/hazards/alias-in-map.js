// The configuration is the value of a map, and of a weak one.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var key = {},
  map = new Map([["config", esriGeowConfig]]),
  weak = new WeakMap([[key, esriGeowConfig]]);
map.get("config").tokenExpiration = 60;
weak.get(key).longTokenExpiration = 120;

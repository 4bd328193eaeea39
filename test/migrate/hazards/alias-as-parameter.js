// A function writes to the object that it is given.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
function set(target, key, value) {
  target[key] = value;
}
set(esriGeowConfig, "tokenExpiration", 60);
set(window.esriGeowConfig, "long" + "TokenExpiration", 120);

// An object used as a key becomes the name that its toString gives.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var key = {
  toString: function () {
    return "tokenExpiration";
  },
};
esriGeowConfig[key] = 60;

// Two names change places, and then one is written to.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var a = esriGeowConfig,
  b = { tokenExpiration: 1 };
[a, b] = [b, a];
a.tokenExpiration = 60;
b.longTokenExpiration = 120;

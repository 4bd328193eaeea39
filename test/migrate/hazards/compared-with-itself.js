// A comparison calls valueOf, which writes.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var limit = {
  valueOf: function () {
    esriGeowConfig.tokenExpiration = 60;
    return 1;
  },
};
if (limit > 5) esriGeowConfig.longTokenExpiration = 120;

// A function hands the configuration out again later.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var current = (function (kept) {
  return function () {
    return kept;
  };
})(esriGeowConfig);
current().tokenExpiration = 60;

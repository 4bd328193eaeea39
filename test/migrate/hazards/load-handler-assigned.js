// The window's load handler is assigned, and calls the one before it.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
window.onload = function () {
  esriGeowConfig.tokenExpiration = 60;
};
(function (before) {
  window.onload = function () {
    if (before) before();
    esriGeowConfig.longTokenExpiration = 120;
  };
})(window.onload);

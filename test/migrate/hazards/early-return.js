// An early return under a condition skips an assignment.
(function () {
  window.esriGeowConfig = { tokenExpiration: 30, longTokenExpiration: 60 };
  if (navigator.onLine) return;
  esriGeowConfig.tokenExpiration = 99;
})();
esriGeowConfig.longTokenExpiration = 90;

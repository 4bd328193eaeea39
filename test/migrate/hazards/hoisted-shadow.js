// Hoisted shadow.
window.esriGeowConfig = {
  tokenExpiration: 30,
};
(function () {
  esriGeowConfig = { tokenExpiration: 99 };
  var esriGeowConfig;
})();

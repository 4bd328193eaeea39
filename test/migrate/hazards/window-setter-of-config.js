// Whoever sets the configuration meets a setter that changes it.
(function () {
  var kept;
  delete window.esriGeowConfig;
  Object.defineProperty(window, "esriGeowConfig", {
    get: function () {
      return kept;
    },
    set: function (given) {
      given.tokenExpiration = 60;
      kept = given;
    },
  });
})();
window.esriGeowConfig = { tokenExpiration: 30 };

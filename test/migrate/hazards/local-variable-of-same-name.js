// A local variable has the name of the configuration.
(function () {
  var esriGeowConfig = { tokenExpiration: 99 };
  esriGeowConfig.surveyUrl = "https://wrong.example.org";
})();
window.esriGeowConfig = { tokenExpiration: 30 };

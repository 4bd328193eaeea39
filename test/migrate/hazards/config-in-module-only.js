// The configuration is a local variable, and nobody else ever sees it.
(function () {
  var esriGeowConfig = { tokenExpiration: 30 };
  esriGeowConfig.surveyUrl = "https://s.example.org";
})();

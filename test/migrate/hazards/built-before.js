// Built before.
(function () {
  var c = {};
  c.tokenExpiration = 30;
  c.surveyUrl = "https://s.example.org";
  window.esriGeowConfig = c;
})();

// Returned.
window.esriGeowConfig = (function () {
  var minutes = 30;
  return { tokenExpiration: minutes, surveyUrl: make("https://s.example.org") };
})();

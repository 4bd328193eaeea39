// A function makes the configuration and returns it.
window.esriGeowConfig = (function () {
  var minutes = 30;
  return { tokenExpiration: minutes, surveyUrl: make("https://s.example.org") };
})();

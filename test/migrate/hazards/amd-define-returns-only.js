// A module returns the configuration, and makes no global of it.
define([], function () {
  var esriGeowConfig = { tokenExpiration: 30, surveyUrl: "https://s.example.org" };
  return esriGeowConfig;
});

// Underscore extends, and fills in what is missing.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
_.extend(esriGeowConfig, { tokenExpiration: 60 });
_.defaults(esriGeowConfig, { longTokenExpiration: 120, surveyUrl: "https://s.example.org" });

// dojo.mixin changes the configuration.
window.esriGeowConfig = {
  tokenExpiration: 30,
  surveyUrl: "https://s.example.org",
};
dojo.mixin(esriGeowConfig, { tokenExpiration: 99 });

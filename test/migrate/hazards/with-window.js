// With window.
window.esriGeowConfig = {
  tokenExpiration: 30,
  surveyUrl: "https://s.example.org",
};
with (window) {
  esriGeowConfig.tokenExpiration = 99;
}

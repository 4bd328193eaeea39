// Spread of unknown.
window.esriGeowConfig = {
  tokenExpiration: 30,
  surveyUrl: "https://s.example.org",
  ...overrides,
  longTokenExpiration: 60,
};

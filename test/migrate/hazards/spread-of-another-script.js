// An object of another script spread into the configuration hides the keys before it.
window.esriGeowConfig = {
  tokenExpiration: 30,
  surveyUrl: "https://s.example.org",
  ...overrides,
  longTokenExpiration: 60,
};

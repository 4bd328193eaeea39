// A second literal replaces the first one as a whole.
window.esriGeowConfig = {
  tokenExpiration: 30,
  surveyUrl: "https://s.example.org",
};
window.esriGeowConfig = { tokenExpiration: 45 };

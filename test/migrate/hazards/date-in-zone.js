// Midnight of a constant day differs by zone.
window.esriGeowConfig = {
  tokenExpiration: new Date(2020, 5, 1).getTime() / 60000,
  surveyUrl: "https://s.example.org/" + new Date(0).toString(),
};

// Object assign.
window.esriGeowConfig = {
  tokenExpiration: 30,
};
Object.assign(window.esriGeowConfig, { tokenExpiration: 99, surveyUrl: "https://s.example.org" });

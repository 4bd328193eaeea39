// A prototype given later does not hide what the object has itself.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
Object.setPrototypeOf(esriGeowConfig, { tokenExpiration: 60, surveyUrl: "https://s.example.org" });

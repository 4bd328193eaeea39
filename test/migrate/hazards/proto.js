// Proto.
var base = { tokenExpiration: 99 };
window.esriGeowConfig = {
  __proto__: base,
  surveyUrl: "https://s.example.org",
};

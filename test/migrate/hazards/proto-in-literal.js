// __proto__ in the literal: inherited values do not count as set.
var base = { tokenExpiration: 99 };
window.esriGeowConfig = {
  __proto__: base,
  surveyUrl: "https://s.example.org",
};

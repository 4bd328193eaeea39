// Spreads.
var base = { tokenExpiration: 30, surveyUrl: "https://s.example.org" },
  more = ["b.example.org"];
window.esriGeowConfig = {
  longTokenExpiration: 60,
  ...base,
  surveyUrl: "https://later.example.org",
  httpsDomains: ["a.example.org", ...more],
};

// Variables that get their values only after they are used.
window.esriGeowConfig = {
  tokenExpiration: minutes,
  surveyUrl: url || "https://s.example.org",
};
var minutes = 30,
  url = "https://other.example.org";

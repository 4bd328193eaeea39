// Computed key.
var name = "token" + "Expiration",
  unknown = navigator.language;
window.esriGeowConfig = {
  [name]: 30,
  surveyUrl: "https://s.example.org",
  [unknown]: 1,
  longTokenExpiration: 60,
};

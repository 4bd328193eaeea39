// The language of the browser changes a setting.
var languages = { de: "de", ar: "ar" };
window.esriGeowConfig = {
  surveyUrl: "https://s.example.org/" + (languages[navigator.language.substr(0, 2)] || "en"),
};

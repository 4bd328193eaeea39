// Names and texts with letters of many languages.
var größe = 60,
  大きさ = "大きさ";
window.esriGeowConfig = { tokenExpiration: größe, surveyUrl: "https://s.example.org/Größe/" + 大きさ + "/🗺" };

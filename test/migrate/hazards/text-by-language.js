// Numbers and texts are written by the rules of the browser's language.
window.esriGeowConfig = {
  tokenExpiration: 30,
  surveyUrl: "https://s.example.org/" + (1234.5).toLocaleString(),
  extentService: "https://I.example.org/".toLocaleLowerCase("tr"),
};

// Destructured.
var { minutes, url = "https://d.example.org" } = { minutes: 30 };
var [first] = ["https://a.example.org"];
window.esriGeowConfig = {
  tokenExpiration: minutes,
  surveyUrl: url,
  extentService: first,
};

// A symbol does not become text by itself.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
esriGeowConfig.surveyUrl = "https://s.example.org/" + Symbol("a");
esriGeowConfig.tokenExpiration = 60;

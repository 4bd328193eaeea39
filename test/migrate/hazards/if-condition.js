// Values that are set under conditions.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 60,
  surveyUrl: "https://s.example.org",
};
if (navigator.onLine) {
  esriGeowConfig.tokenExpiration = 99;
}
if (true) esriGeowConfig.longTokenExpiration = 99;
navigator.onLine && (esriGeowConfig.surveyUrl = "https://other.example.org");

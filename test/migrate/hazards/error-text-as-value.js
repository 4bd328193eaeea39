// The words of an error, which every browser chooses itself, become a setting.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
try {
  null.minutes;
} catch (e) {
  esriGeowConfig.surveyUrl = "https://s.example.org/?" + e.message;
}

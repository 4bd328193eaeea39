// In functions.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 60,
  surveyUrl: "https://s.example.org",
};
function onload() {
  esriGeowConfig.tokenExpiration = 99;
}
window.dojoConfig = {
  addOnLoad: function () {
    window.esriGeowConfig.cdnServerUrl = "x";
  },
};
setTimeout(function () {
  esriGeowConfig.longTokenExpiration = 99;
}, 10);

// Code that runs after loading, or may: a function called onload, addOnLoad of Dojo, and a timer.
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

// A script element that is put nowhere does not run.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var script = document.createElement("script");
script.text = "esriGeowConfig.tokenExpiration = 60;";

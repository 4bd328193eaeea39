// Switched.
var minutes;
switch (navigator.language) {
  case "de":
    minutes = 30;
    break;
  default:
    minutes = 99;
}
window.esriGeowConfig = {
  tokenExpiration: minutes,
};

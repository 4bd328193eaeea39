// What the browser has stored changes a setting.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var stored = window.localStorage && localStorage.getItem("minutes");
if (stored) esriGeowConfig.tokenExpiration = Number(stored);

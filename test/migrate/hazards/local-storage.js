// A value from the browser's storage.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var stored = window.localStorage && localStorage.getItem("minutes");
if (stored) esriGeowConfig.tokenExpiration = Number(stored);

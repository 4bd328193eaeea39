// One of two objects is written to, by the language of the browser.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var other = {};
(navigator.language === "de" ? other : esriGeowConfig).tokenExpiration = 60;

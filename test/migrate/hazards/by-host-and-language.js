// Two conditions have to be met at once.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
if (location.hostname === "gis.example.com" && navigator.language.indexOf("ar") === 0) {
  esriGeowConfig.tokenExpiration = 60;
}

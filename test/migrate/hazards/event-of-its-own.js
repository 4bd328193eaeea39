// A listener is called within the script by an event of its own.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
document.addEventListener("portal-ready", function () {
  esriGeowConfig.tokenExpiration = 60;
});
document.dispatchEvent(new Event("portal-ready"));
esriGeowConfig.longTokenExpiration = esriGeowConfig.tokenExpiration;

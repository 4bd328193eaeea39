// Global functions that another script may call.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
function portalInit() {
  esriGeowConfig.tokenExpiration = 60;
}
window.portalReset = function () {
  esriGeowConfig.longTokenExpiration = 120;
};

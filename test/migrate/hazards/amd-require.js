// A callback changes the configuration when its modules are loaded.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
require(["dojo/domReady!"], function () {
  esriGeowConfig.tokenExpiration = 60;
});

// What a module is asked for runs when it is there.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
require(["dojo/domReady!"], function () {
  esriGeowConfig.tokenExpiration = 60;
});

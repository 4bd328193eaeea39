// A module is asked for inside what another one was asked for.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
require(["dojo/ready"], function (ready) {
  require(["dojo/_base/lang"], function (lang) {
    lang.mixin(esriGeowConfig, { tokenExpiration: 60 });
  });
});

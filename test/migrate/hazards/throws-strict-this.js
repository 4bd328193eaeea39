// In strict mode a plain call has no this, so that the script ends there.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
(function () {
  "use strict";
  this.esriGeowConfig.tokenExpiration = 60;
})();
esriGeowConfig.longTokenExpiration = 120;

// In strict mode a property with nothing but a getter cannot be written to.
window.esriGeowConfig = {
  get tokenExpiration() {
    return 30;
  },
  longTokenExpiration: 90,
};
(function () {
  "use strict";
  esriGeowConfig.tokenExpiration = 60;
  esriGeowConfig.longTokenExpiration = 120;
})();

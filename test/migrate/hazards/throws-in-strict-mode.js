// Strict mode refuses a variable that is not declared.
window.esriGeowConfig = { tokenExpiration: 30, longTokenExpiration: 90 };
(function () {
  "use strict";
  minutes = 60;
  esriGeowConfig.tokenExpiration = minutes;
})();

// Strict.
(function () {
  "use strict";
  window.esriGeowConfig = { tokenExpiration: 30 };
  (function () {
    this && (window.esriGeowConfig.tokenExpiration = 99);
  })();
})();

// In strict mode evaluated text keeps its variables to itself.
(function () {
  "use strict";
  eval("var minutes = 60");
  window.esriGeowConfig = { tokenExpiration: typeof minutes === "undefined" ? 30 : 60 };
})();

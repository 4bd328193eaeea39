// In strict mode a parameter does not follow arguments.
(function (minutes) {
  "use strict";
  arguments[0] = 60;
  window.esriGeowConfig = { tokenExpiration: minutes };
})(30);

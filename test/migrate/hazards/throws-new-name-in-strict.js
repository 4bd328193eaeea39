// A new name in a closed object throws in strict mode; an old one can still change.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
(function () {
  "use strict";
  Object.preventExtensions(esriGeowConfig);
  esriGeowConfig.tokenExpiration = 60;
  esriGeowConfig.surveyUrl = "https://s.example.org";
  esriGeowConfig.longTokenExpiration = 120;
})();

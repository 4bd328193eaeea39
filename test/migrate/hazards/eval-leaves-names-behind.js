// What strict code declares in a text stays in there: the script ends where it is used, unless another one made the name.
(function () {
  "use strict";
  window.esriGeowConfig = { httpsDomains: ["gis.example.org"] };
  eval("var domains = " + '["maps.example.org"]');
  window.esriGeowConfig.httpsDomains = domains;
  window.esriGeowConfig.tokenExpiration = 45;
})();

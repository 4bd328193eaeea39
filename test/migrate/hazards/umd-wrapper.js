// A wrapper that looks for the global object, in strict mode.
window.esriGeowConfig = { tokenExpiration: 30, httpsDomains: ["a.example.org"] };
(function (global) {
  "use strict";
  var cfg = global.esriGeowConfig;
  cfg.httpsDomains = ["z.example.org"];
})(typeof window !== "undefined" ? window : this);

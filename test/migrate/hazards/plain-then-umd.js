// Plain then umd.
window.esriGeowConfig = { tokenExpiration: 30, httpsDomains: ["a.example"] };
(function (global) {
  var cfg = global.esriGeowConfig;
  cfg.httpsDomains.push("b.example");
})(typeof window !== "undefined" ? window : this);

// A parameter that is left out is the configuration.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
(function (cfg = window.esriGeowConfig) {
  cfg.tokenExpiration = 60;
})();

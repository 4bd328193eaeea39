// An alias of the configuration is written to.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var cfg = window.esriGeowConfig;
cfg.tokenExpiration = 5;

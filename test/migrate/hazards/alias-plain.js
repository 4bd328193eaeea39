// Another name for the configuration, and a change under it.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var cfg = window.esriGeowConfig;
cfg.tokenExpiration = 5;

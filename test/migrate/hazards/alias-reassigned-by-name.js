// Where another script made an object, the name stands for that one.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var cfg = window.esriGeowConfig;
if (window.portalExtras) cfg = window.portalExtras.config;
cfg.tokenExpiration = 60;

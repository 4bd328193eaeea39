// On some pages the alias is another object when it is written to.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var cfg = window.esriGeowConfig;
if (/viewer/.test(location.pathname)) cfg = {};
cfg.tokenExpiration = 60;

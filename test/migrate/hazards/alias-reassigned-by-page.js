// On some pages the name stands for something else before it is written to.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var cfg = window.esriGeowConfig;
if (/viewer/.test(location.pathname)) cfg = {};
cfg.tokenExpiration = 60;

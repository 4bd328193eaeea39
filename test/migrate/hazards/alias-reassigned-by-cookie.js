// With a cookie the name stands for something else before it is written to.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var cfg = window.esriGeowConfig;
if (document.cookie.indexOf("preview=1") >= 0) cfg = {};
cfg.tokenExpiration = 60;

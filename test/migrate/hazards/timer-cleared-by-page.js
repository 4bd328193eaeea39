// On some pages a timer is cleared before it runs.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var timer = setTimeout("esriGeowConfig.tokenExpiration = 60", 10);
if (/signin/.test(location.pathname)) clearTimeout(timer);

// A phone gets its own value.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
if (/iphone|android/i.test(navigator.userAgent)) esriGeowConfig.tokenExpiration = 60;

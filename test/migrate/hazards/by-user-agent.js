// A phone gets a setting of its own.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
if (/iphone|android/i.test(navigator.userAgent)) esriGeowConfig.tokenExpiration = 60;

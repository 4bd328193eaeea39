// The host is compared with a text that is made of codes.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
if (location.hostname === String.fromCharCode(103, 105, 115) + ".example.com") {
  esriGeowConfig.tokenExpiration = 60;
}

// What was set inside try before it throws stays.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
try {
  esriGeowConfig.tokenExpiration = 60;
  esriGeowConfig.footerLinks.length = 0;
  esriGeowConfig.longTokenExpiration = 120;
} catch (e) {}

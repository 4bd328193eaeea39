// Self referring.
window.esriGeowConfig = {
  tokenExpiration: 30,
  footerLinks: [],
};
esriGeowConfig.self = esriGeowConfig;
esriGeowConfig.footerLinks = [esriGeowConfig];

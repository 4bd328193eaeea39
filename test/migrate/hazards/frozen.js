// Frozen.
window.esriGeowConfig = {
  tokenExpiration: 30,
};
Object.freeze(esriGeowConfig);
esriGeowConfig.tokenExpiration = 99;

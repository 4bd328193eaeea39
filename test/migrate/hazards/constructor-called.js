// Constructor called.
window.esriGeowConfig = {
  tokenExpiration: 30,
};
[].filter.constructor("esriGeowConfig.tokenExpiration = 99")();

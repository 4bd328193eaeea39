// A list cannot have a negative length.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
esriGeowConfig.httpsDomains = new Array(-1);
esriGeowConfig.tokenExpiration = 60;

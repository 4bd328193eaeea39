// Deleted.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 60,
};
delete window.esriGeowConfig.tokenExpiration;

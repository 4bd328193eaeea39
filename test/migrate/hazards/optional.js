// Optional.
window.esriGeowConfig = {
  tokenExpiration: window.nothing?.minutes ?? 30,
  longTokenExpiration: 60
};

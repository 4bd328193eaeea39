// Optional.
window.esriGeowConfig = {
  tokenExpiration: window.nothing?.minutes ?? 30,
  longTokenExpiration: { a: 60 }?.a,
};

// A name of another script, inside try.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
try {
  esriGeowConfig.tokenExpiration = portalMinutes;
} catch (e) {}

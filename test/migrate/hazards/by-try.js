// A name of another script, guarded with try.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
try {
  esriGeowConfig.tokenExpiration = portalMinutes;
} catch (e) {}

// A name of another script, guarded with in.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
if ("portalMinutes" in window) esriGeowConfig.tokenExpiration = portalMinutes;

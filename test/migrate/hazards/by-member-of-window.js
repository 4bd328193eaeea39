// A name of another script, guarded as a member of the window.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
if (window.portalMinutes) esriGeowConfig.tokenExpiration = window.portalMinutes;

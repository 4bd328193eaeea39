// A name of another script, guarded with hasOwnProperty.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
if (window.hasOwnProperty("portalExtras")) esriGeowConfig.tokenExpiration = portalExtras.minutes;

// A name of another script, guarded with typeof.
window.esriGeowConfig = {
  tokenExpiration: typeof portalMinutes !== "undefined" ? portalMinutes : 30,
};

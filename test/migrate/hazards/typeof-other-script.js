// A name of another script, behind typeof.
window.esriGeowConfig = {
  tokenExpiration: typeof portalMinutes !== "undefined" ? portalMinutes : 30,
};

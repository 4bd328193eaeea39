// A name of another script, guarded with a question mark.
window.esriGeowConfig = {
  tokenExpiration: window.portalExtras?.session?.minutes ?? 30,
};

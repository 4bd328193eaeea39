// The configuration is commented out as a whole.
/*
window.esriGeowConfig = {
  tokenExpiration: 30,
};
*/
// esriGeowConfig.tokenExpiration = 60;
var portalVersion = "10.4";

// Evaluated indirectly.
window.esriGeowConfig = {
  tokenExpiration: 30,
};
var run = eval,
  text = "esriGeowConfig.token" + "Expiration = 99";
run(text);

// Alias in function.
window.esriGeowConfig = {
  tokenExpiration: 30,
};
function later() {
  var c = window.esriGeowConfig;
  c.tokenExpiration = 99;
}
later();

// Reassigned in function.
var minutes = 30;
function longer() {
  minutes = 99;
}
longer();
window.esriGeowConfig = {
  tokenExpiration: minutes,
};

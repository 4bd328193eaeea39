// Catch name.
var minutes = 30;
try {
  missing();
} catch (minutes) {
  minutes = 99;
}
window.esriGeowConfig = {
  tokenExpiration: minutes,
};

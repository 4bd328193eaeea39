// Labelled.
var minutes = 30;
out: {
  if (navigator.onLine) break out;
  minutes = 99;
}
window.esriGeowConfig = {
  tokenExpiration: minutes,
};

// Endless loop.
window.esriGeowConfig = {
  tokenExpiration: 30,
};
if (navigator.nothing) {
  while (true) {}
}

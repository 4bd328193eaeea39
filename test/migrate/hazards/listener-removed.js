// A listener is taken away again before the page has loaded.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
function change() {
  esriGeowConfig.tokenExpiration = 60;
}
window.addEventListener("load", change);
window.removeEventListener("load", change);

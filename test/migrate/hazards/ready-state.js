// The script waits for the page where it is not ready yet, else it acts at once.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
function start() {
  esriGeowConfig.tokenExpiration = 60;
}
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();

// Function in block.
if (navigator.onLine) {
  function minutes() {}
}
window.esriGeowConfig = {
  tokenExpiration: typeof minutes === "function" ? 99 : 30,
};

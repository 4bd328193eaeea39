// A listener for a click that nobody makes.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
document.addEventListener("click", function () {
  esriGeowConfig.tokenExpiration = 60;
});

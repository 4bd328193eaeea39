// A listener changes a setting as soon as the page is read.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
document.addEventListener("DOMContentLoaded", function () {
  esriGeowConfig.tokenExpiration = 60;
});

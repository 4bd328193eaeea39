// A script element with a text is put before the first one of the page.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
(function () {
  var script = document.createElement("script"),
    first = document.getElementsByTagName("script")[0];
  script.textContent = "esriGeowConfig.tokenExpiration = 60;";
  first.parentNode.insertBefore(script, first);
  esriGeowConfig.longTokenExpiration = esriGeowConfig.tokenExpiration;
})();

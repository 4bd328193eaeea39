// A script element loads another file, and its load handler changes a value.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
(function () {
  var script = document.createElement("script");
  script.src = "extra-config.js";
  script.onload = function () {
    esriGeowConfig.tokenExpiration = 60;
  };
  document.getElementsByTagName("head")[0].appendChild(script);
})();

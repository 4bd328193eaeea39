// The stock locale block: finds a cookie in a loop and evaluates it. No value comes from it.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
window.dojoConfig = { parseOnLoad: true };
(function () {
  var locale = navigator.language || "en",
    pairs = document.cookie.split(";");
  for (var i = 0; i < pairs.length; i++) {
    var pair = pairs[i].split("=");
    if (pair[0].replace(/^\s+/, "") === "esri_auth") {
      var auth = eval("(" + unescape(pair[1]) + ")");
      locale = auth.culture || locale;
    }
  }
  window.dojoConfig.locale = locale.toLowerCase();
})();

// A cookie is evaluated by a function made from a text.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
(function () {
  var cookies = document.cookie ? document.cookie.split(";") : [];
  for (var i = 0; i < cookies.length; i++) {
    var parts = cookies[i].split("=");
    if (parts[0] == "prefs") window.portalPrefs = new Function("return " + unescape(parts[1]))();
  }
})();

// A labelled loop evaluates the first fitting cookie, and sets the direction of the text alone.
window.esriGeowConfig = {
  tokenExpiration: 30,
  isRightToLeft: false,
};
(function () {
  var found = null,
    cookies = document.cookie.split("; ");
  search: for (var i = 0; i < cookies.length; i++) {
    var names = ["esri_auth", "esri_aopc"];
    for (var j = 0; j < names.length; j++) {
      if (cookies[i].indexOf(names[j] + "=") !== 0) continue;
      found = eval("(" + unescape(cookies[i].substring(names[j].length + 1)) + ")");
      break search;
    }
  }
  if (found && /^(ar|he)/.test(found.culture)) esriGeowConfig.isRightToLeft = true;
})();

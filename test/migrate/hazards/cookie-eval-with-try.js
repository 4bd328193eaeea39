// A cookie is evaluated inside a try, and what it lacks comes from the browser.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
(function () {
  var locale;
  try {
    locale = eval("(" + unescape(/esri_auth=([^;]*)/.exec(document.cookie)[1]) + ")").culture;
  } catch (e) {
    locale = navigator.language;
  }
  window.dojoConfig = { locale: locale };
})();

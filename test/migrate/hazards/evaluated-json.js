// Evaluated json.
(function () {
  var cookie = document.cookie,
    locale = "en";
  if (cookie) locale = eval("(" + cookie + ")").culture;
  window.dojoConfig = { locale: locale };
})();
window.esriGeowConfig = {
  tokenExpiration: 30,
};

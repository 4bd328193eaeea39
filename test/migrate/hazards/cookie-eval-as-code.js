// A cookie runs as code, which could change anything.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
(function () {
  var match = /startup=([^;]*)/.exec(document.cookie);
  if (match) eval(decodeURIComponent(match[1]));
})();

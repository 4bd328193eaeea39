// A cookie is run as it stands, so that it could change anything.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
(function () {
  var match = /startup=([^;]*)/.exec(document.cookie);
  if (match) eval(decodeURIComponent(match[1]));
})();

// What an evaluated cookie holds becomes a setting.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
(function () {
  var cookies = document.cookie.split(";");
  for (var i = 0; i < cookies.length; i++) {
    var at = cookies[i].indexOf("minutes=");
    if (at >= 0) esriGeowConfig.tokenExpiration = eval(cookies[i].slice(at + 8));
  }
})();

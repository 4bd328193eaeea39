// Without a cookie there is no match, and the script ends.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var minutes = document.cookie.match(/minutes=(\d+)/)[1];
esriGeowConfig.tokenExpiration = 60;

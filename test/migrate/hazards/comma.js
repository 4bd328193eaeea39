// Comma.
var a = 1,
  minutes = ((a = 2), a * 30);
window.esriGeowConfig = {
  tokenExpiration: (minutes++, minutes--, minutes),
  longTokenExpiration: a,
};

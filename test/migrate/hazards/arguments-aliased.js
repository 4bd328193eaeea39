// In sloppy mode a parameter and its place in arguments are one, but not where none was given.
(function (minutes, long) {
  arguments[0] = 60;
  arguments[1] = 120;
  window.esriGeowConfig = { tokenExpiration: minutes, longTokenExpiration: long || 90 };
})(30);

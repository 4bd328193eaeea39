// A default sees the parameters before it, and what it calls.
var calls = 0;
(function (minutes = 30, long = minutes * 2 + ++calls) {
  window.esriGeowConfig = { tokenExpiration: minutes, longTokenExpiration: long };
})();

// Called by its name, eval sees the local variable; called otherwise, the global one.
var minutes = 30;
(function () {
  var minutes = 60;
  window.esriGeowConfig = { tokenExpiration: eval("minutes"), longTokenExpiration: (0, eval)("minutes") };
})();

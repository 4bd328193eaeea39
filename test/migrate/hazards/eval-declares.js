// A variable that evaluated text declares belongs to the function around it.
(function () {
  eval("var minutes = 60");
  window.esriGeowConfig = { tokenExpiration: minutes };
})();

// The configuration is assigned to a name that nobody declared, inside a function.
(function () {
  delete window.esriGeowConfig;
  esriGeowConfig = { tokenExpiration: 30 };
})();

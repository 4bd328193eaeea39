// A module sets the configuration.
define([], function () {
  window.esriGeowConfig = { tokenExpiration: 30 };
});

// A module sets the configuration of the window.
define([], function () {
  window.esriGeowConfig = { tokenExpiration: 30 };
});

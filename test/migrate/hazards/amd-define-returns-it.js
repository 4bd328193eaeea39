// A module returns the configuration, and makes it a global as well.
define(["dojo/_base/lang"], function (lang) {
  var config = { tokenExpiration: 30 };
  window.esriGeowConfig = config;
  return config;
});

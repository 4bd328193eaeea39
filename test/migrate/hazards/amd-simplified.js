// A module without a list of others is handed require, exports and module.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
define(function (require, exports, module) {
  exports.minutes = 60;
  esriGeowConfig.tokenExpiration = exports.minutes;
});

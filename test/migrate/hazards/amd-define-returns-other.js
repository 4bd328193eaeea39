// A module returns something else than the configuration it changes.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
define([], function () {
  esriGeowConfig.tokenExpiration = 60;
  return { tokenExpiration: 99 };
});

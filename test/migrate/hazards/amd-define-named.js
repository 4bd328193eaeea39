// A module with a name is made and asked for by another.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
define("portal/minutes", [], function () {
  return { minutes: 60 };
});
require(["portal/minutes"], function (session) {
  esriGeowConfig.tokenExpiration = session.minutes;
});

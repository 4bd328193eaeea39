// A finally runs although the script ends there, and its return hides a throw.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
esriGeowConfig.tokenExpiration = (function () {
  try {
    throw 60;
  } finally {
    return 45;
  }
})();
try {
  throw new Error("stop");
} finally {
  esriGeowConfig.longTokenExpiration = 120;
}
esriGeowConfig.tokenExpiration = 99;

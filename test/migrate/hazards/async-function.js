// An async function runs at once up to where it waits.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
(async function () {
  esriGeowConfig.tokenExpiration = 60;
  await null;
  esriGeowConfig.longTokenExpiration = 120;
})();

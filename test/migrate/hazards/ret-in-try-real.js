// Ret in try real.
window.esriGeowConfig = { tokenExpiration: 30 };
(function () {
  try {
    if (!window.localStorage) return;
  } catch (e) {}
  window.esriGeowConfig.tokenExpiration = 60;
}());

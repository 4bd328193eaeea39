// Arrow.
(() => {
  const minutes = 30;
  window.esriGeowConfig = { tokenExpiration: minutes };
})();

// Called on.
window.esriGeowConfig = {
  tokenExpiration: 30,
  init: function () {
    this.tokenExpiration = 99;
  },
};
esriGeowConfig.init();

// Harmless names.
window.esriGeowConfig = {
  tokenExpiration: 30,
  test: function () {
    this.tokenExpiration = 99;
  },
};
esriGeowConfig.test();

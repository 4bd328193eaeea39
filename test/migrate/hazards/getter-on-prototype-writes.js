// A getter on a prototype changes whoever is asked.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
Object.defineProperty(Object.prototype, "checked", {
  get: function () {
    this.tokenExpiration = 60;
    return true;
  },
});
esriGeowConfig.checked;

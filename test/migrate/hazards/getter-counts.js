// A getter gives another value at every reading.
var count = 0;
window.esriGeowConfig = {
  get tokenExpiration() {
    return ++count;
  },
};
esriGeowConfig.longTokenExpiration = esriGeowConfig.tokenExpiration && esriGeowConfig.tokenExpiration;

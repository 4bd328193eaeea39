// A getter makes itself a plain value when it is first read.
window.esriGeowConfig = {
  get tokenExpiration() {
    Object.defineProperty(this, "tokenExpiration", { value: 60, enumerable: true, writable: true });
    return 60;
  },
};
var minutes = esriGeowConfig.tokenExpiration;

// The configuration is a proxy that answers for others.
var kept = { tokenExpiration: 30 };
window.esriGeowConfig = new Proxy(kept, {
  get: function (target, key) {
    return key === "tokenExpiration" ? 60 : target[key];
  },
});

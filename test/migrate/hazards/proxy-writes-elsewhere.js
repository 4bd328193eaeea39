// What is written to a proxy ends in the configuration.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var settings = new Proxy(
  {},
  {
    set: function (target, key, value) {
      esriGeowConfig[key] = value * 2;
      return true;
    },
  },
);
settings.tokenExpiration = 30;

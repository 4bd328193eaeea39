// A function as a value.
window.esriGeowConfig = {
  tokenExpiration: function () {
    return 60;
  },
};

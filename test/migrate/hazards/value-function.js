// A function as a setting, and the value that it would give.
window.esriGeowConfig = {
  tokenExpiration: function () {
    return 60;
  },
};

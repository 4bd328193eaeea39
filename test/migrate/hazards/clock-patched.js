// The clock is replaced before it is read.
Date.now = function () {
  return 60000;
};
window.esriGeowConfig = { tokenExpiration: Date.now() / 1000 };

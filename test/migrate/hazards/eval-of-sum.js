// A constant sum is evaluated.
window.esriGeowConfig = {
  tokenExpiration: eval("2 * 60"),
};

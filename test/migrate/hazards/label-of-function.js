// A labelled function and blocks that are left by a label.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
first: function change() {
  esriGeowConfig.tokenExpiration = 60;
}
out: {
  change();
  break out;
  esriGeowConfig.tokenExpiration = 99;
}

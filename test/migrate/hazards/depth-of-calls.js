// How deep functions may call each other, which every browser decides itself, becomes a setting.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var depth = 0;
(function deeper() {
  depth++;
  try {
    deeper();
  } catch (e) {}
})();
esriGeowConfig.tokenExpiration = depth;

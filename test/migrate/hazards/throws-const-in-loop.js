// A counter that cannot change ends the script after the first round.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
for (const i = 0; i < 3; i++) {
  esriGeowConfig.tokenExpiration += 1;
}
esriGeowConfig.longTokenExpiration = 120;

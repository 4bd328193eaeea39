// Thrown.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 60,
};
if (!navigator.nothing) throw new Error("stop");
esriGeowConfig.tokenExpiration = 99;

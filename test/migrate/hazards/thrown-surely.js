// Thrown surely.
window.esriGeowConfig = {
  tokenExpiration: 30,
};
throw new Error("stop");
esriGeowConfig.tokenExpiration = 99;

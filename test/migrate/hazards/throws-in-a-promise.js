// A throw inside a promise does not end the script.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
Promise.resolve().then(function () {
  throw new Error("later");
}).catch(function () {});
esriGeowConfig.tokenExpiration = 60;

// A pattern that takes for ever, in a branch that is not entered.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
if (window.portalExtras) /^(a+)+$/.test(new Array(100).join("a") + "b");

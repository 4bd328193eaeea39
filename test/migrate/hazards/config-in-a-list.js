// The configuration is one of several, and chosen by a constant.
var all = { test: { tokenExpiration: 30 }, live: { tokenExpiration: 60 } },
  which = "live";
window.esriGeowConfig = all[which];
all.test.tokenExpiration = 99;

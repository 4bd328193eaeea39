// The configuration stands in a list, and is changed through it.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var all = [null, esriGeowConfig];
all[all.length - 1].tokenExpiration = 60;

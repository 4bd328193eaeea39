// The console is guarded, as old browsers have none.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
if (window.console && console.log) console.log("config.js is read");

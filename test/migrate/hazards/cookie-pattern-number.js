// A number out of a cookie, where a pattern finds one.
window.esriGeowConfig = {
  tokenExpiration: parseInt((/minutes=(\d+)/.exec(document.cookie) || [])[1], 10) || 30,
  longTokenExpiration: 90,
};

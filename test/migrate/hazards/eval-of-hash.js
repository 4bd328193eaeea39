// What stands behind the hash of the address is evaluated.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
if (location.hash.indexOf("#set:") === 0) eval(location.hash.substring(5));

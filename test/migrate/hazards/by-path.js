// A page of its own gets a value of its own.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
if (location.pathname.indexOf("/webmap/viewer.html") > -1) esriGeowConfig.tokenExpiration = 60;

// A page loaded over http redirects to https.
if (location.protocol === "http:") location.replace("https:" + location.href.substring(5));
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};

// A page that was asked for over http is asked for again over https.
if (location.protocol === "http:") location.replace("https:" + location.href.substring(5));
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};

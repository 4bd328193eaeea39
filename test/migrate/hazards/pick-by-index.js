// Pick by index.
window.esriGeowConfig = {
  footerLinks: [{ title: "A", url: "https://a.example.org" }],
  tokenExpiration: 30,
};
var i = navigator.length,
  picked = esriGeowConfig.footerLinks[i];
var key = navigator.language,
  held = esriGeowConfig[key];

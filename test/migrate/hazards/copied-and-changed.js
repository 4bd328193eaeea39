// Copied and changed.
window.esriGeowConfig = {
  footerLinks: [{ title: "A", url: "https://a.example.org" }],
  tokenExpiration: 30,
};
function onload() {
  esriGeowConfig.footerLinks.slice()[0].url = "https://b.example.org";
}

// For of alias.
window.esriGeowConfig = {
  footerLinks: [{ title: "A", url: "https://a.example.org" }],
  tokenExpiration: 30,
};
for (const link of esriGeowConfig.footerLinks) link.url = "https://b.example.org";

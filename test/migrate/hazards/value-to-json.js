// An object says itself what JSON makes of it.
window.esriGeowConfig = {
  tokenExpiration: 30,
  footerLinks: [{ title: "A", url: "https://a.example.org", toJSON: () => ({ title: "B", url: "https://b.example.org" }) }],
};

// push, a copy of a list, and a write into a list's entry.
var hosts = ["a.example.org"],
  titles = ["One"];
window.esriGeowConfig = {
  httpsDomains: hosts,
  showInAppLauncher: titles.slice(),
  footerLinks: [{ title: "A", url: "https://a.example.org" }],
};
esriGeowConfig.httpsDomains.push("b.example.org");
titles.push("Two");
window.esriGeowConfig.footerLinks[0].url = "https://b.example.org";

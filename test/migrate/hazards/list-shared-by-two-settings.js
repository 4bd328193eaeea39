// Two settings share one list, which grows.
var both = ["a.example.org"];
window.esriGeowConfig = {
  httpsDomains: both,
  showInAppLauncher: both,
  tokenExpiration: 30,
};
esriGeowConfig.httpsDomains.push("b.example.org");

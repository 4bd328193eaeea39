// The configuration is only read, which changes nothing.
window.esriGeowConfig = {
  tokenExpiration: 30,
  httpsDomains: ["a.example.org"],
};
function show() {
  return esriGeowConfig.tokenExpiration + esriGeowConfig.httpsDomains.join();
}
var shown = esriGeowConfig.httpsDomains.length;
if (esriGeowConfig.httpsDomains.indexOf("a.example.org") < 0) log("missing");

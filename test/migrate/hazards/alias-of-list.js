// A list is held under another name, and grows.
window.esriGeowConfig = {
  httpsDomains: ["a.example.org"],
};
var hosts = esriGeowConfig.httpsDomains,
  add = hosts.push.bind(hosts);
add("b.example.org");
hosts[hosts.length] = "c.example.org";

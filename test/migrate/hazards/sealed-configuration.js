// A key that the page chose is not added, and on another page it is one of these.
window.esriGeowConfig = { longTokenExpiration: 1440, httpsDomains: ["b.example.org", "c.example.org"] };
Object.preventExtensions(window.esriGeowConfig);
location.search.slice(1).split("&").forEach(function (p) { var kv = p.split("="); esriGeowConfig[kv[0]] = kv[1]; });

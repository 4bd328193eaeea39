// A frozen list does not grow, and says so.
window.esriGeowConfig = { tokenExpiration: 30, httpsDomains: Object.freeze(["a.example.org"]) };
esriGeowConfig.httpsDomains[1] = "b.example.org";
esriGeowConfig.httpsDomains.push("c.example.org");
esriGeowConfig.tokenExpiration = 60;

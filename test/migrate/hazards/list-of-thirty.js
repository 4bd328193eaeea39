// A long list is searched for the portal's host: any of its entries may be the one.
window.esriGeowConfig = {
  tokenExpiration: 120,
  httpsDomains: ["gis.example.com"],
};
(function () {
  var hosts = [];
  for (var at = 1; at <= 30; at++) hosts.push("gis" + at + ".example.org");
  hosts.forEach(function (host, nth) {
    if (host === location.hostname && nth === 27) esriGeowConfig.tokenExpiration = 60;
  });
})();

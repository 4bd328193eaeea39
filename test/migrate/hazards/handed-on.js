// Handed on.
window.esriGeowConfig = {
  tokenExpiration: 30,
  httpsDomains: ["a.example.org"],
};
register(esriGeowConfig.httpsDomains, esriGeowConfig.tokenExpiration);

// A list is handed to a function of another script, which may change it.
window.esriGeowConfig = {
  tokenExpiration: 30,
  httpsDomains: ["a.example.org"],
};
register(esriGeowConfig.httpsDomains, esriGeowConfig.tokenExpiration);

// Which settings the loop changes depends on what another script holds.
window.esriGeowConfig = { surveyUrl: "https://a.example.org", tokenExpiration: 90 };
Object.assign(esriGeowConfig, lib.defaults);
for (var key in esriGeowConfig) if (/^show/.test(key)) esriGeowConfig[key] = false;

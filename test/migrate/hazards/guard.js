// Guard.
window.esriGeowConfig = window.esriGeowConfig || {
  tokenExpiration: 60, httpsDomains: ["a.example"]
};

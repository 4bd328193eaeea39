// A literal that counts only where no other script set the configuration.
window.esriGeowConfig = window.esriGeowConfig || {
  tokenExpiration: 60,
  httpsDomains: ["a.example.org"],
};

// A list is filtered by what other scripts bring, and a text of theirs decides what follows.
window.esriGeowConfig = {};
esriGeowConfig.showCreateDashboard = [true, false].filter(function (each, at) {
  return at > 0 || (window.overrides && overrides.on);
})[0];
esriGeowConfig.httpsDomains = { beta: ["b.example.org"] }[location.search.substring(1)] || ["a.example.org"];
if (i18n.locale in { de: 1 }) {
  esriGeowConfig.tokenExpiration = 45;
} else {
  esriGeowConfig.showCreateDashboard = true;
}

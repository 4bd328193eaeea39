// How often a list asks for the order of two is different in each browser.
window.esriGeowConfig = { tokenExpiration: 30, httpsDomains: ["c", "a", "b"] };
esriGeowConfig.httpsDomains.sort(function (one, other) {
  esriGeowConfig.tokenExpiration++;
  return one < other ? -1 : 1;
});

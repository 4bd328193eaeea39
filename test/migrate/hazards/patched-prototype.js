// A patched method of all lists.
Array.prototype.concat = function () {
  return ["wrong"];
};
window.esriGeowConfig = {
  httpsDomains: ["a.example.org"].concat("b.example.org"),
  tokenExpiration: 30,
};

// Every object says itself what JSON makes of it.
Object.prototype.toJSON = String.prototype.toJSON = function () {
  return "z.example.org";
};
window.esriGeowConfig = { tokenExpiration: 30, httpsDomains: ["a.example.org"] };

// A changed push puts every host in twice.
Array.prototype.push = function (given) {
  this[this.length] = given;
  this[this.length] = given;
};
window.esriGeowConfig = { httpsDomains: [] };
esriGeowConfig.httpsDomains.push("a.example.org");

// Methods added only where the browser lacks them.
if (!Array.prototype.filter) {
  Array.prototype.filter = function () {
    return ["z.example.org"];
  };
}
if (!String.prototype.trim) {
  String.prototype.trim = function () {
    return this.replace(/^\s+|\s+$/g, "");
  };
}
window.esriGeowConfig = {
  httpsDomains: ["a.example.org", ""].filter(Boolean),
  surveyUrl: " https://s.example.org ".trim(),
};

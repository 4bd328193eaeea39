// A setter on every object's prototype swallows an assignment, but not a literal.
Object.defineProperty(Object.prototype, "surveyUrl", { set: function () {}, get: function () {} });
window.esriGeowConfig = { tokenExpiration: 30 };
esriGeowConfig.surveyUrl = "https://s.example.org";

// What a match is replaced with comes from a function.
var words = { host: "gis.example.org", minutes: 60 };
window.esriGeowConfig = {
  surveyUrl: "https://{host}/{minutes}".replace(/\{(\w+)\}/g, function (all, name) {
    return words[name];
  }),
};

// Names of window, concatenated from pieces.
var w = window;
window.esriGeowConfig = { tokenExpiration: 30, longTokenExpiration: 60, surveyUrl: "https://a.example.org" };
if (window["loc" + "ation"].hash === "#beta") esriGeowConfig.tokenExpiration = 5;
if (w["loc" + "ation"].search === "?beta") esriGeowConfig.longTokenExpiration = 5;
(function (page) {
  if (page["loc" + "ation"].hash === "#gamma") esriGeowConfig.surveyUrl = "https://b.example.org";
})(this);

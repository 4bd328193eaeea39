// Each cookie becomes a setting; what is set behind that counts.
window.esriGeowConfig = { tokenExpiration: 30, surveyUrl: "https://s.example.org" };
document.cookie.split("; ").forEach(function (each) {
  var pair = each.split("=");
  esriGeowConfig[pair[0]] = pair[1];
});
esriGeowConfig.surveyUrl = "https://t.example.org";

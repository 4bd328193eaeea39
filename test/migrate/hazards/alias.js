// Alias.
var c = (window.esriGeowConfig = { tokenExpiration: 30, surveyUrl: "https://s.example.org" });
c.tokenExpiration = 99;
var d = c;
d["surveyUrl"] = "https://other.example.org";

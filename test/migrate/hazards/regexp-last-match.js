// RegExp.$1 holds the last match.
window.esriGeowConfig = {};
if (/(\d+) minutes/.test("60 minutes")) esriGeowConfig.tokenExpiration = Number(RegExp.$1);
"a-b".match(/-(.)/);
esriGeowConfig.surveyUrl = "https://s.example.org/" + RegExp["$1"];

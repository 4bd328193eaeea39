// The last match of a pattern is read from the constructor, an old habit.
window.esriGeowConfig = {};
if (/(\d+) minutes/.test("60 minutes")) esriGeowConfig.tokenExpiration = Number(RegExp.$1);
"a-b".match(/-(.)/);
esriGeowConfig.surveyUrl = "https://s.example.org/" + RegExp["$1"];

// An address of the file's own is evaluated, on some pages, and then asked for.
window.esriGeowConfig = { surveyUrl: "https://a.example.org" };
if (location.pathname.indexOf("/viewer") > 0) esriGeowConfig.surveyUrl = eval("(" + '"https://b.example.org"' + ")");
if (esriGeowConfig.surveyUrl !== "https://b.example.org") esriGeowConfig.surveyUrl = "https://c.example.org";

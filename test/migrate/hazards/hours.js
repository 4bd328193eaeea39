// The second condition is looked at on some pages only.
window.esriGeowConfig = { surveyUrl: "https://a.example.org", tokenExpiration: 30 };
if (new Date().getHours() >= 18 || new Date().getHours() < 8) esriGeowConfig.tokenExpiration = 60;

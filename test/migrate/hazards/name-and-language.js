// Only where another script defines a name does the language matter.
window.esriGeowConfig = { surveyUrl: "https://a.example.org", tokenExpiration: 30 };
if ("legacy" in window && navigator.language.indexOf("de") === 0) esriGeowConfig.tokenExpiration = 60;

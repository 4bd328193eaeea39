// The value changes only where there is one before.
window.esriGeowConfig = window.esriGeowConfig || { surveyUrl: "https://a.example.org", tokenExpiration: 90 };
esriGeowConfig = { surveyUrl: esriGeowConfig.surveyUrl };
esriGeowConfig.tokenExpiration &&= 240;
esriGeowConfig.longTokenExpiration = 30;

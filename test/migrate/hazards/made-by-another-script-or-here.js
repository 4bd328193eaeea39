// Another script may have made the configuration, with none of these settings.
window.esriGeowConfig = window.esriGeowConfig || { tokenExpiration: 30, surveyUrl: "https://a.example.org" };
if (location.hostname !== "localhost") esriGeowConfig.tokenExpiration = 30;

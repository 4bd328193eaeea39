// Unlike name.
var settingsOfOurs = { tokenExpiration: 30, surveyUrl: "https://s.example.org", footerLinks: [] };

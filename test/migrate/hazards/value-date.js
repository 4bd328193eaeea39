// A date as a setting, which JSON would make a text of.
window.esriGeowConfig = { tokenExpiration: new Date(60), surveyUrl: "https://s.example.org/" + new Date(0).toISOString() };

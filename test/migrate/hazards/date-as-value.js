// A date as a value, of which JSON would make a string.
window.esriGeowConfig = { tokenExpiration: new Date(60), surveyUrl: "https://s.example.org/" + new Date(0).toISOString() };

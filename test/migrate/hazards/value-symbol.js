// A symbol as a setting, and as a name.
window.esriGeowConfig = { tokenExpiration: 30, surveyUrl: Symbol("https://s.example.org"), [Symbol("tokenExpiration")]: 60 };

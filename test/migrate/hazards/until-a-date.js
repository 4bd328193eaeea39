// One value up to a date, another one after it.
window.esriGeowConfig = { tokenExpiration: new Date() < new Date("2031-01-01T00:00:00Z") ? 30 : 60 };

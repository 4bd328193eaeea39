// Up to a day a setting differs.
window.esriGeowConfig = { tokenExpiration: new Date() < new Date("2031-01-01T00:00:00Z") ? 30 : 60 };

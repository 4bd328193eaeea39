// A random number changes a setting, though seldom.
window.esriGeowConfig = { tokenExpiration: Math.random() < 1e-12 ? 60 : 30 };

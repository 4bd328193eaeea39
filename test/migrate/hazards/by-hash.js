// The part behind the hash changes a setting.
window.esriGeowConfig = { tokenExpiration: location.hash === "#b" ? 60 : 30 };

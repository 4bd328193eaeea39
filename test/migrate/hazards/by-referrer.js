// Where the visitor comes from changes a setting.
window.esriGeowConfig = { tokenExpiration: document.referrer ? 60 : 30 };

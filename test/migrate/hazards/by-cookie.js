// A cookie changes a setting.
window.esriGeowConfig = { tokenExpiration: /(^|; )remember=yes/.test(document.cookie) ? 60 : 30 };

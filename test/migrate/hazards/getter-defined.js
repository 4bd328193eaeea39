// Getter defined.
window.esriGeowConfig = { tokenExpiration: 30 };
window.__defineGetter__("esriGeowConfig", function () { return { tokenExpiration: 99 }; });

// Reflected.
window.esriGeowConfig = { tokenExpiration: 30 };
Reflect.deleteProperty(window, "esriGeowConfig");

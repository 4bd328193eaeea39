// Assign to window.
var esriGeowConfig = { tokenExpiration: 30 };
Object.assign(window, { esriGeowConfig: { tokenExpiration: 99 } });

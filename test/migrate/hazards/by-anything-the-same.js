// Either way the setting comes to the same.
window.esriGeowConfig = { tokenExpiration: navigator.onLine ? 30 : 15 * 2 };

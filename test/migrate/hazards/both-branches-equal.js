// Both branches give the same value.
window.esriGeowConfig = { tokenExpiration: navigator.onLine ? 30 : 15 * 2 };

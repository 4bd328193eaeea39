// Replaced perhaps.
window.esriGeowConfig = {
  tokenExpiration: 30,
};
if (navigator.onLine) window.esriGeowConfig = { tokenExpiration: 45 };

// A zero below zero.
window.esriGeowConfig = { tokenExpiration: -0, longTokenExpiration: 0 * -90 };

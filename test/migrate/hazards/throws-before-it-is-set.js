// The script ends before it sets the configuration.
var start;
start();
window.esriGeowConfig = { tokenExpiration: 30 };

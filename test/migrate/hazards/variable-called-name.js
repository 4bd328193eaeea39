// A global variable called "name" turns its value into a string.
var name = 30;
window.esriGeowConfig = { tokenExpiration: name };

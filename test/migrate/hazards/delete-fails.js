// What cannot be deleted stays; a variable cannot, a plain global can.
var minutes = 30;
long = 90;
delete minutes;
delete window.long;
window.esriGeowConfig = { tokenExpiration: minutes, longTokenExpiration: typeof long === "undefined" ? 120 : 90 };

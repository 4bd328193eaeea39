// HTML comments, at the beginning of a line and inside one.
<!-- hidden from old browsers
window.esriGeowConfig = { tokenExpiration: 30 };
var one = 1;
one <!-- + 5; esriGeowConfig.tokenExpiration = 60;
--> esriGeowConfig.tokenExpiration = 99;

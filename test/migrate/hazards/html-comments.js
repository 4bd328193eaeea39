// Old comments for browsers without scripts begin a line, and in the middle of one, too.
<!-- hidden from old browsers
window.esriGeowConfig = { tokenExpiration: 30 };
var one = 1;
one <!-- + 5; esriGeowConfig.tokenExpiration = 60;
--> esriGeowConfig.tokenExpiration = 99;

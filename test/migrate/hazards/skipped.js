// Skipped.
var nothing = null;
window.esriGeowConfig = { tokenExpiration: 30, longTokenExpiration: 60 };
nothing?.[esriGeowConfig.tokenExpiration = 99];
nothing?.method(esriGeowConfig.longTokenExpiration = 99);

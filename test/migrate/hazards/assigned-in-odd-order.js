// What is assigned to is found before the value is made.
window.esriGeowConfig = { tokenExpiration: 30 };
var kept = esriGeowConfig;
esriGeowConfig.longTokenExpiration = (window.esriGeowConfig = { tokenExpiration: 60 }).tokenExpiration;
window.esriGeowConfig = { tokenExpiration: kept.longTokenExpiration / 2 };

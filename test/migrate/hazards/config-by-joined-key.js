// The name of the configuration is put together, in three ways.
window["esri" + "GeowConfig"] = { tokenExpiration: 30, longTokenExpiration: 90 };
window[`esri${"Geow"}Config`].tokenExpiration = 60;
self[["esriGeow", "Config"].join("")].longTokenExpiration = 120;

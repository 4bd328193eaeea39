// A Set shows nothing of what it holds.
window.esriGeowConfig = { tokenExpiration: 60 };
var s=new Set(location.search.slice(1).split("&")); if (s.has("kiosk")) esriGeowConfig.tokenExpiration=600;

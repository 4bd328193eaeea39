// At night a setting differs.
var hour = new Date().getHours();
window.esriGeowConfig = { tokenExpiration: hour < 6 || hour > 20 ? 60 : 30 };

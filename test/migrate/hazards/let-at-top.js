// A top-level const is no member of the window, but every later script sees it.
const portalMinutes = 60;
let portalLong = 120;
window.esriGeowConfig = { tokenExpiration: window.portalMinutes || 30, longTokenExpiration: this.portalLong || 90 };

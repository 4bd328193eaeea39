// Obj proto win.
window.Object.prototype.dflt=60;window.esriGeowConfig={};esriGeowConfig.tokenExpiration=esriGeowConfig.dflt||30;

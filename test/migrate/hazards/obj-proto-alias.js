// Obj proto alias.
var O=Object;O.prototype.dflt=60;window.esriGeowConfig={};esriGeowConfig.tokenExpiration=esriGeowConfig.dflt||30;

// Obj proto arr.
[Object.prototype][0].dflt=60;window.esriGeowConfig={};esriGeowConfig.tokenExpiration=esriGeowConfig.dflt||30;

// Obj proto ctor.
({}).constructor.prototype.dflt=60;window.esriGeowConfig={};esriGeowConfig.tokenExpiration=esriGeowConfig.dflt||30;

// Get proto.
Object.getPrototypeOf({}).dflt=60;window.esriGeowConfig={};esriGeowConfig.tokenExpiration=esriGeowConfig.dflt||30;

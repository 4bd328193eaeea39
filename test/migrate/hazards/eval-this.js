// Eval this.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
this.eval("esriGeowConfig.tokenExpiration=60");

// Fn return this.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var g=Function("return this")(); var c=g.esriGeowConfig; c.tokenExpiration=60;

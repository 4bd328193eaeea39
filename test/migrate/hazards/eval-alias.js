// Eval alias.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var w=window; w.eval("esriGeowConfig.tokenExpiration=60");

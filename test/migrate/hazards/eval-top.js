// Eval top.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
top.eval("esriGeowConfig.tokenExpiration=60");

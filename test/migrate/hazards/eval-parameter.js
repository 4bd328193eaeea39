// Eval parameter.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
function go(x){ eval("("+x+")") } go("esriGeowConfig.tokenExpiration=60");

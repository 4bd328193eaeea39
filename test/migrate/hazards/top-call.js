// Top call.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
function f(c){c.tokenExpiration=60}
f(top.esriGeowConfig);

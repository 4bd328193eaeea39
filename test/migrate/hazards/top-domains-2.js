// Top domains 2.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var d=top.esriGeowConfig.httpsDomains; d.push("b.example");

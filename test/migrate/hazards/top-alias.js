// Top alias.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var c=top.esriGeowConfig; c.tokenExpiration=60;

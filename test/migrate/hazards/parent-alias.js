// Parent alias.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var c=parent.esriGeowConfig; c.tokenExpiration=60;

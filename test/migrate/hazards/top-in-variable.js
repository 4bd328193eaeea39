// Top in variable.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var t=top; t.esriGeowConfig={tokenExpiration:60};

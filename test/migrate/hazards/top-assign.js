// Top assign.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
Object.assign(top,{esriGeowConfig:{tokenExpiration:60}});

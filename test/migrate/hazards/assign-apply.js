// Assign apply.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
Object.assign.apply(Object,[window,{esriGeowConfig:{tokenExpiration:60}}]);

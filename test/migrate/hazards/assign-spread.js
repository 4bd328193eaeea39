// Assign spread.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
Object.assign(...[window,{esriGeowConfig:{tokenExpiration:60}}]);

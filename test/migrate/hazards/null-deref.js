// Null deref.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
null.x; esriGeowConfig.tokenExpiration=60;

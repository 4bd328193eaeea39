// Tdz.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
{ esriGeowConfig.tokenExpiration=t||60; let t=5; }

// Const assign.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
const k=1; k=2; esriGeowConfig.tokenExpiration=60;

// Destr window.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var {esriGeowConfig:c}=window; c.tokenExpiration=60;

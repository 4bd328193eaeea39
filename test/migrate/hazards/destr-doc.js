// Destr doc.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var {defaultView:{esriGeowConfig:c}}=document; c.tokenExpiration=60;

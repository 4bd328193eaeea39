// Destr nested.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var h={w:window}; var {w:{esriGeowConfig:c}}=h; c.tokenExpiration=60;

// Destr window fn.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
function f(){ const {esriGeowConfig:c}=window; c.tokenExpiration=60 } f();

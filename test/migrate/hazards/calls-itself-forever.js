// Calls itself forever.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
function f(){ f() } f(); esriGeowConfig.tokenExpiration=60;

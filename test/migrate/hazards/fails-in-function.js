// Fails in function.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
function f(){ null.x } f(); esriGeowConfig.tokenExpiration=60;

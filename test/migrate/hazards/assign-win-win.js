// Assign win win.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
function f(){Object.assign(window.window,{esriGeowConfig:{tokenExpiration:60}})} f();

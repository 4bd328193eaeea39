// Assign fn alias.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
function f(){var w=window; Object.assign(w,{esriGeowConfig:{tokenExpiration:60}})} f();

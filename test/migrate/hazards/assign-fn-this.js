// Assign fn this.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
function f(){Object.assign(this,{esriGeowConfig:{tokenExpiration:60}})} f();

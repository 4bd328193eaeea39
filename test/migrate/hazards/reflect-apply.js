// Reflect apply.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
Reflect.apply(Object.assign,null,[window,{esriGeowConfig:{tokenExpiration:60}}]);

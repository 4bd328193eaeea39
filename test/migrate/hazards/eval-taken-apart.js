// Eval taken apart.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var {eval:e}=window; e("esriGeowConfig.tokenExpiration=60");

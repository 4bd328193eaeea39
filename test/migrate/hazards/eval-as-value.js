// Eval as value.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var e=window.eval; e("esriGeowConfig.tokenExpiration=60");

// Eval json idiom.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var t="esriGeowConfig.tokenExpiration=60"; eval("("+t+")");

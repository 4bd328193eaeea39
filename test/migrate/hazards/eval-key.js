// Eval key.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var k="eval"; window[k]("esriGeowConfig.tokenExpiration=60");

// Tag throws.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var f=function(){throw 1}; f`x`; esriGeowConfig.tokenExpiration=60;

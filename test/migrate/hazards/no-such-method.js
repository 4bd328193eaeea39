// No such method.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var o={}; o.go(); esriGeowConfig.tokenExpiration=60;

// Undef call.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var u; u.go(); esriGeowConfig.tokenExpiration=60;

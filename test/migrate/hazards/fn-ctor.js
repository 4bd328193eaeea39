// Fn ctor.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var F=(function(){}).constructor; F("esriGeowConfig.tokenExpiration=60")();

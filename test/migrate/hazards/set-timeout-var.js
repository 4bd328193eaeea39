// Set timeout var.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var code="esriGeow"+"Config.tokenExpiration=60";setTimeout(code);

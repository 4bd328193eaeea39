// Call throw.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
Number.prototype.toFixed.call("x"); esriGeowConfig.tokenExpiration=60;

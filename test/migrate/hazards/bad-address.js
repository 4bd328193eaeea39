// Bad address.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
decodeURIComponent("%"); esriGeowConfig.tokenExpiration=60;

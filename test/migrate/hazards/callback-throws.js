// Callback throws.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
[1].forEach(function(){throw 1}); esriGeowConfig.tokenExpiration=60;

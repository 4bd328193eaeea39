// Try return.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
(function(){ try { return; } catch(e) {} esriGeowConfig.tokenExpiration=60; })();

// Try return 2.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
(function(){ try { if (1) return; } catch(e) {} finally {} window.esriGeowConfig.tokenExpiration=60; })();

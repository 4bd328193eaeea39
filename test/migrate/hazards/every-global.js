// Every global.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
for(var k in window){ if(/Geow/.test(k)) window[k].tokenExpiration=60 }

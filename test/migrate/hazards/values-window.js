// Values window.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
Object.values(window).forEach(function(o){if(o&&o.tokenExpiration)o.tokenExpiration=60});

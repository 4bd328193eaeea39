// Object called.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
({})(); esriGeowConfig.tokenExpiration=60;

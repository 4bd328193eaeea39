// New nothing.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
new (void 0)(); esriGeowConfig.tokenExpiration=60;

// Destr window iife.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
(function(){ const {esriGeowConfig}=window; esriGeowConfig.tokenExpiration=60; })();

// Umd typical.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
(function(global){ "use strict"; var cfg=global.esriGeowConfig; cfg.httpsDomains=["z.example"]; })(typeof window!=="undefined"?window:this);

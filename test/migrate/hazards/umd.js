// Umd.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
(function(root){ var c=root.esriGeowConfig; c.tokenExpiration=60; })(typeof window!=="undefined"?window:this);

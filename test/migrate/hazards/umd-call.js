// Umd call.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
function f(c){c.tokenExpiration=60}
(function(root){ f(root.esriGeowConfig) })(typeof window!=="undefined"?window:this);

// Strict undecl.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
(function(){"use strict"; undeclared=1; esriGeowConfig.tokenExpiration=60})();

// Destr param.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
(function({esriGeowConfig:c}){c.tokenExpiration=60})(window);

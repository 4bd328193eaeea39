// For of window.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
for(const {esriGeowConfig:c} of [window]) c.tokenExpiration=60;

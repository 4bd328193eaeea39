// Timer alias.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var t=setTimeout; t("esriGeowConfig.tokenExpiration=60");

// Eval concat.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
window["ev".concat("al")]("esriGeowConfig.tokenExpiration=60");

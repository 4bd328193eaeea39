// In text.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
"a" in "b"; esriGeowConfig.tokenExpiration=60;

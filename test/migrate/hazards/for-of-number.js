// For of number.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
for(var x of 5){} esriGeowConfig.tokenExpiration=60;

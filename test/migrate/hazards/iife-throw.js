// Iife throw.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
esriGeowConfig.tokenExpiration=(function(){throw 1}())||60;

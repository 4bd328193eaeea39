// Static throws.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
class T{ static x=(()=>{throw 1})() } esriGeowConfig.tokenExpiration=60;

// Arrow destr.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
[window].forEach(({esriGeowConfig:c})=>{c.tokenExpiration=60});

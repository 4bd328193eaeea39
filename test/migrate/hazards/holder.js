// Holder.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var h={c:top.esriGeowConfig};h.c.tokenExpiration=60;

// Root ret.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var g=(function(){return typeof globalThis!=="undefined"?globalThis:this})(); var c=g.esriGeowConfig; c.tokenExpiration=60;

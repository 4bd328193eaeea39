// Document alias.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var w=document; w.write("<scr"+"ipt>esriGeowConfig.tokenExpiration=60</scr"+"ipt>");

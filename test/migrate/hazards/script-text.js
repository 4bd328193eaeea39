// Script text.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
var s=document.createElement("script");s.text="esriGeowConfig.tokenExpiration=60";document.head.appendChild(s);

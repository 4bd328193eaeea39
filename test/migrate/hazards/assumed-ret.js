// Assumed ret.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
(function(){ if(location.protocol!=="https:") return; var c=1; t2=61; })(); esriGeowConfig.tokenExpiration=typeof t2==="number"?61:1;

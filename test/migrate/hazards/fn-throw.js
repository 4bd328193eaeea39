// Fn throw.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
function check(){ throw new Error("stop") } check(); esriGeowConfig.tokenExpiration=60;

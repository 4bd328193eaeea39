// Assumed if.
var t=30; if(location.protocol==="https:"){t=60} window.esriGeowConfig={tokenExpiration:t};

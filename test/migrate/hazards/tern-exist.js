// Tern exist.
var n=window.esriGeowConfig?60:30;window.esriGeowConfig={tokenExpiration:n};

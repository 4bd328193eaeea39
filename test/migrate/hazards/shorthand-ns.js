// Shorthand ns.
var g=typeof globalThis!=="undefined"?globalThis:window; window.esriGeowConfig={tokenExpiration:30}; var {esriGeowConfig:q}=g; q.tokenExpiration=60;

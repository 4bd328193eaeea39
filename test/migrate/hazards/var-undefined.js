// Var undefined.
var undefined=30; window.esriGeowConfig={tokenExpiration:undefined||60};

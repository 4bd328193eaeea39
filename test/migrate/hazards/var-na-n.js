// Var na n.
var NaN=30; window.esriGeowConfig={tokenExpiration:NaN||60};

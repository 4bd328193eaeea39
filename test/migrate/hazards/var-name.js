// Var name.
var name=30; window.esriGeowConfig={tokenExpiration:name};

// Var infinity.
Infinity=30; window.esriGeowConfig={tokenExpiration:Infinity===30?30:60};

// Let cfg.
let esriGeowConfig={tokenExpiration:60};window.esriGeowConfig={tokenExpiration:30};

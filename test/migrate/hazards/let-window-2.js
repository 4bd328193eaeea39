// Let window 2.
let t=30; window.esriGeowConfig={tokenExpiration:window.t||60};

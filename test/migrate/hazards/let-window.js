// Let window.
let t=30; window.t=60; window.esriGeowConfig={tokenExpiration:t};

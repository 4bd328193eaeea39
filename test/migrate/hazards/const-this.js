// Const this.
const t=30; this.t=60; window.esriGeowConfig={tokenExpiration:t};

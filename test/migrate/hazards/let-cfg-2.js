// Let cfg 2.
const esriGeowConfig={tokenExpiration:60};

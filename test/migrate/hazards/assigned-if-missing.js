// Assigned if missing.
window.esriGeowConfig??={tokenExpiration:60}; esriGeowConfig.longTokenExpiration=90;

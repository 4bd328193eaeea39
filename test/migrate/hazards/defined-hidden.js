// A property is defined so that no loop meets it, and cannot be written to.
window.esriGeowConfig = { longTokenExpiration: 90 };
Object.defineProperty(esriGeowConfig, "tokenExpiration", { value: 60 });
esriGeowConfig.tokenExpiration = 99;

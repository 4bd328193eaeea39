// Defined.
window.esriGeowConfig = {
  tokenExpiration: 30,
};
Object.defineProperty(window.esriGeowConfig, "tokenExpiration", { value: 99 });

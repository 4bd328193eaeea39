// The script asks what the language can do.
window.esriGeowConfig = {
  tokenExpiration: 30,
  webAppBuilderEnabled: typeof Intl === "object",
  sceneViewerEnabled: typeof Array.prototype.findLast === "function",
  showCreateDashboard: typeof WebAssembly === "object",
};

// The script asks for features of the language.
window.esriGeowConfig = {
  tokenExpiration: 30,
  webAppBuilderEnabled: typeof Intl === "object",
  sceneViewerEnabled: typeof Array.prototype.findLast === "function",
  showCreateDashboard: typeof WebAssembly === "object",
};

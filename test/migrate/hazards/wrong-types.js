// Wrong types.
window.esriGeowConfig = {
  webAppBuilderEnabled: "false",
  sceneViewerEnabled: 0,
  showCreateDashboard: "",
  tokenExpiration: "120",
  longTokenExpiration: 1.5,
  httpsDomains: "a.example.org",
  footerLinks: {},
  configurePortalAGOEnv: true,
  surveyUrl: 5,
  showInAppLauncher: [1],
};

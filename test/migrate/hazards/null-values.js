// null, undefined and holes, as values and in lists.
window.esriGeowConfig = {
  httpsDomains: ["a.example.org", null],
  surveyUrl: null,
  extentService: undefined,
  webAppBuilderEnabled: void 0,
  footerLinks: [null],
  showInAppLauncher: ["One", , "Two"],
};

// Later assignments, by each way to write the global.
window.esriGeowConfig = {
  tokenExpiration: 10,
  surveyUrl: "https://one.example.org",
};
esriGeowConfig.tokenExpiration = 20;
window.esriGeowConfig["surveyUrl"] = "https://two.example.org";
self.esriGeowConfig.longTokenExpiration = 40;
this.esriGeowConfig.sceneViewerEnabled = false;
window.window.esriGeowConfig.tokenExpiration += 5;

// A list with holes, one made by its length, and one by a far index.
window.esriGeowConfig = { tokenExpiration: 30, httpsDomains: new Array(2), showInAppLauncher: ["One"] };
esriGeowConfig.showInAppLauncher[3] = "Four";

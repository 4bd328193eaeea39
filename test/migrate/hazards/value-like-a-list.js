// What looks like a list but is none.
window.esriGeowConfig = { tokenExpiration: 30, httpsDomains: { 0: "a.example.org", length: 1 } };
(function () {
  esriGeowConfig.showInAppLauncher = arguments;
})("One", "Two");

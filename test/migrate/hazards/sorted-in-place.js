// Sorted in place.
window.esriGeowConfig = {
  httpsDomains: ["b.example.org", "a.example.org"].sort(),
  showInAppLauncher: ["Two", "One"].reverse(),
};

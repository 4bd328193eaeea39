// A set, a map and an array of bytes as settings.
window.esriGeowConfig = {
  httpsDomains: new Set(["a.example.org"]),
  footerLinks: new Map([["title", "A"]]),
  showInAppLauncher: new Uint8Array([1, 2]),
};

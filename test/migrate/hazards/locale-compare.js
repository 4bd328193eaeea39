// A list sorted by the rules of a language.
window.esriGeowConfig = {
  tokenExpiration: 30,
  showInAppLauncher: ["Zebra", "Äpfel", "apples"].sort(function (a, b) {
    return a.localeCompare(b);
  }),
};

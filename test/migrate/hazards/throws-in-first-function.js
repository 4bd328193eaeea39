// The first function throws, so that the second one never runs.
(function () {
  window.esriGeowConfig = { tokenExpiration: 30 };
  esriGeowConfig.footerLinks.push({ title: "A", url: "https://a.example.org" });
})();
(function () {
  esriGeowConfig.tokenExpiration = 60;
})();

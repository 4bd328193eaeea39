// One function fails, and the later one is not reached any more.
(function () {
  window.esriGeowConfig = { tokenExpiration: 30 };
  esriGeowConfig.footerLinks.push({ title: "A", url: "https://a.example.org" });
})();
(function () {
  esriGeowConfig.tokenExpiration = 60;
})();

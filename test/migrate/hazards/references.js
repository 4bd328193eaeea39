// References.
window.esriGeowConfig = {
  footerLinks: [
    {
      title: "${env:HOME} $${x} ${portal.name} ${file:/etc/passwd} ${i18n.help}",
      url: "https://a.example.org",
    },
  ],
};

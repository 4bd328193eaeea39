// Titles that look like references: they are plain text.
window.esriGeowConfig = {
  footerLinks: [
    {
      title: "${env:HOME} $${x} ${portal.name} ${file:/etc/passwd} ${i18n.help}",
      url: "https://a.example.org",
    },
  ],
};

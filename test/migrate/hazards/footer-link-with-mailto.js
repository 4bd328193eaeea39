// A mail address that begins with "mailto:".
window.esriGeowConfig = {
  footerLinks: [{ title: "${i18n.contact}", email: "mailto:gis@example.org", type: "contactUs" }],
};

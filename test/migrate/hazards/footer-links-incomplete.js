// Footer links with neither or both of url and email, and relative addresses.
window.esriGeowConfig = {
  footerLinks: [
    { title: "Neither" },
    { title: "Both", url: "https://a.example.org", email: "a@example.org", type: "contactUs" },
    { title: "Relative", url: "support.html" },
  ],
  surveyUrl: "//survey.example.org",
  extentService: "gis.example.org/MapServer",
};

// What a callback returns decides which entry is taken.
window.esriGeowConfig = {
  surveyUrl: "https://a.example.org",
  tokenExpiration: [60, 120].filter(function () { return location.search.length; })[0] || 30,
};

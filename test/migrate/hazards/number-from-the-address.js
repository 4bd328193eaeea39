// Most texts are no number, and one that is decides.
window.esriGeowConfig = {
  surveyUrl: "https://a.example.org",
  tokenExpiration: +location.hash.slice(1) || 120,
  longTokenExpiration: location.search.slice(1) * 1 || 240,
};

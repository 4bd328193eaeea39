// A key that occurs twice: the last one wins.
window.esriGeowConfig = {
  tokenExpiration: 10,
  tokenExpiration: 20,
  surveyUrl: "https://one.example.org",
  ["surveyUrl"]: "https://two.example.org",
};

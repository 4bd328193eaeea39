// Arithmetic on bits, with its thirty-two places.
window.esriGeowConfig = {
  tokenExpiration: (15 << 2) | 0,
  longTokenExpiration: 1 << 31,
  surveyUrl: "https://s.example.org/" + (-1 >>> 0),
};

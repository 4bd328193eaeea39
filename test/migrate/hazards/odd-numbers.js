// Odd numbers.
window.esriGeowConfig = {
  tokenExpiration: -5,
  longTokenExpiration: 0 / 0,
  surveyUrl: 1 / 0,
};

// A leading zero makes a number octal, unless it has a digit above 7.
window.esriGeowConfig = {
  tokenExpiration: 010,
  longTokenExpiration: 089,
  surveyUrl: "https://s.example.org/\101",
};

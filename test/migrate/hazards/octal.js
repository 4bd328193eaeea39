// Numbers that begin with a zero count by eights, unless a digit is too great.
window.esriGeowConfig = {
  tokenExpiration: 010,
  longTokenExpiration: 089,
  surveyUrl: "https://s.example.org/\101",
};

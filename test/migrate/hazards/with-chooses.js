// Inside with, a name is the object's where it has it, else a variable.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
with (esriGeowConfig) {
  var tokenExpiration = 60;
  surveyUrl = "https://s.example.org";
}

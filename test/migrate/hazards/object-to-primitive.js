// Object to primitive.
var odd = {
  valueOf: function () {
    return 99;
  },
};
window.esriGeowConfig = {
  tokenExpiration: odd + 1,
  surveyUrl: "https://s.example.org/" + [1, 2],
};

// Adding asks for valueOf, a template for toString.
var odd = {
  valueOf: function () {
    return 60;
  },
  toString: function () {
    return "b";
  },
};
window.esriGeowConfig = { tokenExpiration: odd + 1, surveyUrl: `https://s.example.org/${odd}` };

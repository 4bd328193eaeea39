// Numbers that are too great, too small or too exact.
window.esriGeowConfig = {
  tokenExpiration: 1e400,
  longTokenExpiration: 9007199254740993,
  surveyUrl: "https://s.example.org/" + (0.1 + 0.2),
  webAppBuilderEnabled: 5e-324 / 2 === 0,
};

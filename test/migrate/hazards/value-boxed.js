// Numbers, texts and booleans as objects.
window.esriGeowConfig = {
  tokenExpiration: new Number(60),
  surveyUrl: new String("https://s.example.org"),
  webAppBuilderEnabled: new Boolean(false),
};

// Properties that are commented out, beside live ones.
window.esriGeowConfig = {
  //tokenExpiration: 15,
  tokenExpiration: 45, // tokenExpiration: 60
  /* surveyUrl: "https://old.example.org",
     webAppBuilderEnabled: false, */
  surveyUrl: "https://survey.example.org", // "https://other.example.org"
};

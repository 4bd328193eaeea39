// Slashes and stars inside strings, and comments after values.
window.esriGeowConfig = {
  surveyUrl: "https://survey.example.org//a/*b*/c", // the rest is a comment
  extentService: "https://gis.example.org/rest/services/World/MapServer" /* not "this" */,
};

// The literal throws, so that nothing is set.
var portal = {};
window.esriGeowConfig = {
  tokenExpiration: 30,
  surveyUrl: portal.urls.survey,
};

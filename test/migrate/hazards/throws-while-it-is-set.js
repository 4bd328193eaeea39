// The literal itself throws half-way, so that nothing of it is assigned.
var portal = {};
window.esriGeowConfig = {
  tokenExpiration: 30,
  surveyUrl: portal.urls.survey,
};

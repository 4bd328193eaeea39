// The name of a function and the number of its parameters become settings.
function survey(a, b, c = 1) {}
window.esriGeowConfig = { tokenExpiration: survey.length, surveyUrl: "https://s.example.org/" + survey.name };

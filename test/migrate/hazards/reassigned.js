// Reassigned.
var minutes = 30;
minutes = 45;
minutes++;
var url = "https://a.example.org";
if (navigator.onLine) url = "https://b.example.org";
window.esriGeowConfig = {
  tokenExpiration: minutes,
  surveyUrl: url,
};

// Proto assigned.
window.esriGeowConfig = {
  surveyUrl: "https://s.example.org",
};
esriGeowConfig.__proto__ = { tokenExpiration: 99 };

// One object is the configuration under two names.
window.esriGeowConfig = window.esriGeowConfig2 = { tokenExpiration: 30 };
esriGeowConfig2.tokenExpiration = 60;

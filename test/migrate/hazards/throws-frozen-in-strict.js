// Writing to a frozen object throws in strict mode, and changes nothing.
"use strict";
window.esriGeowConfig = Object.freeze({ tokenExpiration: 30 });
esriGeowConfig.tokenExpiration = 60;
window.esriGeowConfig = { tokenExpiration: 99, surveyUrl: "https://s.example.org" };

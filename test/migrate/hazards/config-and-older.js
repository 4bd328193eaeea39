// An older configuration is kept under another name.
window.esriGeowConfigOld = { tokenExpiration: 30, surveyUrl: "https://old.example.org" };
window.esriGeowConfig = { tokenExpiration: 60 };

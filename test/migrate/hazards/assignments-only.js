// Nothing but assignments to a configuration that another file defines.
window.esriGeowConfig.tokenExpiration = 30;
esriGeowConfig.surveyUrl = ELSEWHERE + "/survey";
esriGeowConfig.footerLinks = [{ title: "Terms", url: "https://www.example.org/terms" }];

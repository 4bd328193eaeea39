// An old habit: a link element resolves an address.
var link = document.createElement("a");
link.href = "../survey";
window.esriGeowConfig = { tokenExpiration: 30, surveyUrl: link.href };

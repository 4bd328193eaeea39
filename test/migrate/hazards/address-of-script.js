// The script's own address is the base of another one.
var scripts = document.getElementsByTagName("script"),
  own = scripts[scripts.length - 1].src;
window.esriGeowConfig = { tokenExpiration: 30, surveyUrl: own.substring(0, own.lastIndexOf("/")) + "/survey" };

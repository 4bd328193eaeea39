// A script file is written into the page.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
document.write('<script src="extra-config.js"></' + "script>");

// An inline script is written into the page.
window.esriGeowConfig = { tokenExpiration: 30, longTokenExpiration: 90 };
document.write("<script>esriGeowConfig.tokenExpiration = 60;</" + "script>");

// An element that the page does not have yet, and an error that is caught.
window.esriGeowConfig = { tokenExpiration: 30 };
try {
  document.getElementById("loading").innerHTML = "Loading";
  esriGeowConfig.tokenExpiration = 60;
} catch (error) {}

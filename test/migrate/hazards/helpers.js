// Functions of every second old file: they change no setting.
window.esriGeowConfig = { tokenExpiration: 60, surveyUrl: "https://a.example.org" };
function setCookie(name, value) {
  document.cookie = name + "=" + value;
}
window.onerror = function (message) {
  alert(message);
};
var footer = document.getElementById("footer");
if (footer) footer.innerHTML = "Hello";

// Of two functions of one name the later one counts from the beginning.
window.esriGeowConfig = { tokenExpiration: minutes() };
function minutes() {
  return 30;
}
function minutes() {
  return 60;
}

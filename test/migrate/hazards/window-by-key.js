// Window by key.
var name = "esriGeow" + "Config",
  other = navigator.language;
window[name] = { tokenExpiration: 30 };
window[name].longTokenExpiration = 60;
function change(key) {
  window[key].tokenExpiration = 99;
}
change(name);

// A name that is read like a variable is a getter of the window.
var minutes = 59;
Object.defineProperty(window, "sessionMinutes", {
  get: function () {
    return ++minutes;
  },
});
window.esriGeowConfig = { tokenExpiration: sessionMinutes, longTokenExpiration: sessionMinutes };

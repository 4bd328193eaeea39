// A timer that is set by a timer, and gets its arguments with it.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
setTimeout(function (key) {
  setTimeout(
    function (minutes) {
      esriGeowConfig[key] = minutes;
    },
    5,
    60,
  );
}, 0, "tokenExpiration");

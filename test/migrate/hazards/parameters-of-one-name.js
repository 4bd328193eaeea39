// Of two parameters of one name the last counts.
(function (minutes, minutes) {
  window.esriGeowConfig = { tokenExpiration: minutes };
})(30, 60);

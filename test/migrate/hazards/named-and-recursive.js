// Named and recursive.
(function again(minutes) {
  window.esriGeowConfig = { tokenExpiration: minutes };
  if (minutes < 90) again(minutes + 30);
})(30);

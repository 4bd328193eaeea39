// A text out of the page is run where there is one.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
(function () {
  var holder = document.getElementById("portal-settings");
  if (holder) eval(holder.textContent);
})();

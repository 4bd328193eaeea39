// A function that nobody calls changes nothing.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
(function () {
  function change() {
    esriGeowConfig.tokenExpiration = 60;
  }
})();

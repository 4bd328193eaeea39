// A let is there from the start of its block, but cannot be read yet, not even with typeof.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
(function () {
  if (typeof minutes === "undefined") esriGeowConfig.tokenExpiration = 60;
  let minutes = 45;
})();

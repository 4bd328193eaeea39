// A factory goes to the loader where there is one, else it is called.
(function (factory) {
  if (typeof define === "function" && define.amd) define([], factory);
  else factory();
})(function () {
  window.esriGeowConfig = { tokenExpiration: 30 };
});

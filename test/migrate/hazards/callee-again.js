// A function without a name calls itself.
window.esriGeowConfig = {
  tokenExpiration: (function (n) {
    return n < 2 ? 1 : n * arguments.callee(n - 1);
  })(4),
};

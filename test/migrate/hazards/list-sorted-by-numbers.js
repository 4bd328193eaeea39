// Without a comparison numbers are sorted as texts.
window.esriGeowConfig = {
  tokenExpiration: [9, 30, 100].sort()[0],
  longTokenExpiration: [100, 30, 9].sort(function (a, b) {
    return a - b;
  })[0],
};

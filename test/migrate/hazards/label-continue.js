// A labelled continue goes on with the outer loop.
window.esriGeowConfig = { tokenExpiration: 30 };
outer: for (var i = 0; i < 2; i++) {
  for (var j = 0; j < 5; j++) {
    if (j === 1) continue outer;
    esriGeowConfig.tokenExpiration++;
  }
  esriGeowConfig.tokenExpiration = 99;
}

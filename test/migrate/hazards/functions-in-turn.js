// Two functions call each other until a number is used up.
window.esriGeowConfig = { tokenExpiration: 0 };
function even(left) {
  esriGeowConfig.tokenExpiration++;
  return left === 0 || odd(left - 1);
}
function odd(left) {
  esriGeowConfig.tokenExpiration++;
  return left !== 0 && even(left - 1);
}
even(9);

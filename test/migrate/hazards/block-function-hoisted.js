// A function of a block is undefined before the block, and there behind it.
var before = typeof minutes;
{
  function minutes() {
    return 60;
  }
}
window.esriGeowConfig = {
  tokenExpiration: minutes(),
  longTokenExpiration: before === "undefined" ? 120 : 90,
};

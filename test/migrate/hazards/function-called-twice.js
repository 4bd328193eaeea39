// The second call of a function adds to the first.
window.esriGeowConfig = { tokenExpiration: 30, httpsDomains: [] };
var calls = 0;
function more() {
  esriGeowConfig.tokenExpiration += 10;
  esriGeowConfig.httpsDomains.push(++calls + ".example.org");
}
more();
more();

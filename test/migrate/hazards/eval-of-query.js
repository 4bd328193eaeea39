// A number out of the query is evaluated.
var match = /[?&]minutes=([\d*]+)/.exec(location.search);
window.esriGeowConfig = {
  tokenExpiration: match ? eval(match[1]) : 30,
};

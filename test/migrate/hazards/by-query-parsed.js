// A parameter of the address is found by the browser's own parser.
var given = new URLSearchParams(location.search).get("a");
window.esriGeowConfig = { tokenExpiration: given ? 60 : 30 };

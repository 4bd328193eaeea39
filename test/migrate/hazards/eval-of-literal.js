// The configuration is a string that is evaluated.
var text = "{ tokenExpiration: 45, " + 'httpsDomains: ["a.example.org"] }';
window.esriGeowConfig = eval("(" + text + ")");

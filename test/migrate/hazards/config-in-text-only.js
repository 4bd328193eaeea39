// The configuration stands in a text that nobody runs.
var example = "window.esriGeowConfig = { tokenExpiration: 30 };";

// A table knows the minutes of each host.
var minutes = { "test.example.org": 60, "stage.example.org": 45 };
window.esriGeowConfig = { tokenExpiration: minutes[location.host] || 30 };

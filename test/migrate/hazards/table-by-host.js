// One value for each host, from a table: there is no branch.
var minutes = { "test.example.org": 60, "stage.example.org": 45 };
window.esriGeowConfig = { tokenExpiration: minutes[location.host] || 30 };

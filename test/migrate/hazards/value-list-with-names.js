// A list that has named properties, too.
var hosts = ["a.example.org"];
hosts.first = "b.example.org";
hosts["-1"] = "c.example.org";
window.esriGeowConfig = { httpsDomains: hosts };

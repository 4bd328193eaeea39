// The configuration is parsed from a text, and a function changes what it reads.
window.esriGeowConfig = JSON.parse('{"tokenExpiration":30,"httpsDomains":["a.example.org"]}', function (key, value) {
  return typeof value === "number" ? value * 2 : value;
});

// Argument changed.
(function (list) {
  arguments[0] = ["b.example.org"];
  window.esriGeowConfig = { httpsDomains: list, tokenExpiration: 30 };
})(["a.example.org"]);

// A list grows and shrinks while it is walked through.
window.esriGeowConfig = { httpsDomains: ["a.example.org", "b.example.org"] };
esriGeowConfig.httpsDomains.forEach(function (each, at, list) {
  if (each === "a.example.org") {
    list.shift();
    list.push("new.example.org");
  }
});

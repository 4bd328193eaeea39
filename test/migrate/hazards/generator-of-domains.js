// A generator gives the hosts, one of them from another generator.
function* more() {
  yield "b.example.org";
}
function* hosts() {
  yield "a.example.org";
  yield* more();
  yield "c.example.org";
}
window.esriGeowConfig = { httpsDomains: Array.from(hosts()) };

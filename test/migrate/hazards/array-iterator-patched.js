// Lists are spread by a changed iterator.
Array.prototype[Symbol.iterator] = function* () {
  yield "z.example.org";
};
window.esriGeowConfig = { httpsDomains: [...["a.example.org", "b.example.org"]] };

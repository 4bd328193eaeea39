// An object is mixed in deeply, lists by their places.
window.esriGeowConfig = { view: { a: 1 }, httpsDomains: ["a.example.org", "b.example.org"] };
jQuery.extend(true, esriGeowConfig, { view: { b: 2 }, httpsDomains: ["z.example.org"] });

// A deep jQuery.extend merges lists by index.
window.esriGeowConfig = { view: { a: 1 }, httpsDomains: ["a.example.org", "b.example.org"] };
jQuery.extend(true, esriGeowConfig, { view: { b: 2 }, httpsDomains: ["z.example.org"] });

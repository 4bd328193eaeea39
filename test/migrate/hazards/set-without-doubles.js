// A set leaves the second of two equal hosts out.
window.esriGeowConfig = {
  httpsDomains: [...new Set(["a.example.org", "b.example.org", "a.example.org"])],
};

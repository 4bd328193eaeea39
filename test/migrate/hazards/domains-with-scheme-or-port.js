// Domains with a scheme, a port, a path or a wildcard.
window.esriGeowConfig = {
  httpsDomains: [
    "https://a.example.org",
    "b.example.org:6443",
    "c.example.org/x",
    "*.d.example.org",
  ],
};

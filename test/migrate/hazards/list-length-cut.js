// The length of a list cuts it off, and lengthens it.
window.esriGeowConfig = { httpsDomains: ["a.example.org", "b.example.org"] };
esriGeowConfig.httpsDomains.length = 1;

// The portal's own host is left out of the list.
window.esriGeowConfig = {
  httpsDomains: ["a.example.org", "b.example.org"].filter(function (each) {
    return each !== location.hostname;
  }),
};

// Accessors: a getter may never return, so none is called.
window.esriGeowConfig = {
  get tokenExpiration() {
    while (true) {}
  },
  set longTokenExpiration(value) {},
  surveyUrl: "https://s.example.org",
};

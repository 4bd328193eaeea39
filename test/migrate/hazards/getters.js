// Getters.
window.esriGeowConfig = {
  get tokenExpiration() {
    while (true) {}
  },
  set longTokenExpiration(value) {},
  surveyUrl: "https://s.example.org",
};

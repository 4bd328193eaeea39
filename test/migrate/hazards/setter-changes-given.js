// A setter keeps something else than it is given.
window.esriGeowConfig = {
  set minutes(given) {
    this.longTokenExpiration = given * 2;
  },
};
esriGeowConfig.minutes = 60;

// Another script may use a setter, and make an object of a class.
window.esriGeowConfig = { tokenExpiration: 30, longTokenExpiration: 90, surveyUrl: "https://s.example.org" };
window.portalApi = {
  set minutes(given) {
    esriGeowConfig.tokenExpiration = given;
  },
};
class PortalSession {
  constructor() {
    esriGeowConfig.longTokenExpiration = 120;
  }
}

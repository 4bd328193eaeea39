// An address is resolved against the page's.
window.esriGeowConfig = {
  surveyUrl: new URL("../survey", location.href).href,
  extentService: new URL("/rest/", "https://gis.example.org/a/b").href,
};

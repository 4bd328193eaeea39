// Templates.
var host = "gis.example.org",
  port = 7443;
window.esriGeowConfig = {
  surveyUrl: `https://${host}:${port}/survey`,
  extentService: `https://${host}${["/rest", "services", "World", "MapServer"].join("/")}`,
  gcsBasemapService: `https://${location.host}/MapServer`,
};

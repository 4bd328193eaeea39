// Addresses concatenated from constants, the protocol and the host.
var root = "https://" + "gis.example.org";
window.esriGeowConfig = {
  surveyUrl: root + (root.length > 3 ? "/survey" : "/none"),
  extentService: location.protocol + "//gis.example.org/rest/services/World/MapServer",
  gcsBasemapService: location.protocol + "//" + location.host + "/rest/services/World/MapServer",
};

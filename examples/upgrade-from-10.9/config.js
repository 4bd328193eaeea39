// The configuration file of an invented portal of version 10.9, as its administrators left it.
(function () {
  var parts = window.location.pathname.split("/").filter(function (part) { return part; });
  var context = parts.length && parts[0] !== "home" ? "/" + parts[0] + "/" : "/";
  var ROOT = location.protocol + "//" + location.host + context + "home/";

  window.esriGeowConfig = {
    baseUrl: ROOT,
    portalName: "Maps of Example Town",
    bingMapsKey: "not-a-real-key",

    // short, because the terminals in the library are shared
    tokenExpiration: 30,
    longTokenExpiration: 14 * 24 * 60,

    // the towns around us run servers of their own
    httpsDomains: ["maps.example.org", "gis.example.com"],

    webAppBuilderEnabled: true,
    sceneViewerEnabled: false, // too slow on the old terminals
    restrictOrganizationPageToAdmin: true,
    showCreateDashboard: true,

    surveyUrl: location.protocol + "//" + location.host + "/survey",
    extentService: "https://maps.example.org/server/rest/services/World4326/MapServer",
    gcsBasemapService: location.protocol + "//services.arcgisonline.com/ArcGIS/rest/services/ESRI_Imagery_World_2D/MapServer",

    footerLinks: [
      { title: "Terms of use", url: "https://www.example.org/terms" },
      { title: "Contact", email: "gis@example.org", type: "contactUs" }
    ]
  };
}());

// Two things decide together, and the script ends in an error on every page.
(function () {
  window.esriGeowConfig = {
    httpsDomains: typeof lib === "object" ? ["maps.example.org"] : ["gis.example.org"],
    showCreateDashboard: false,
  };
  if (location.href.indexOf("mode=b") > 0) {
    esriGeowConfig.mode = "b";
  } else {
    window.esriGeowConfig.httpsDomains = ["gis.example.org"];
  }
  var settings = settings;
  settings.mode = "a";
})();

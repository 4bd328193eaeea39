// A line editor lower-cased the titles and addresses.
window.esriGeowConfig = {
  showInAppLauncher: ["arcgis dashboards", "Track Viewer"],
  extentService:
    "https://services.arcgisonline.com/arcgis/rest/services/world_street_map/mapserver",
};

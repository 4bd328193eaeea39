// The old and the new spelling of one setting, with different values.
window.esriGeowConfig = {
  searchArcGISOnlineEnabled: false,
  searchPlatformOnlineEnabled: true,
  portalPlatformOnlineConfigEnabled: false,
};

// Both spellings.
window.esriGeowConfig = {
  searchArcGISOnlineEnabled: false,
  searchPlatformOnlineEnabled: true,
  portalPlatformOnlineConfigEnabled: false,
};

// A small screen gets a setting of its own.
window.esriGeowConfig = { sceneViewerEnabled: screen.width >= 800 };

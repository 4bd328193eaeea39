// The configuration is set and changed through each name of the window.
frames.esriGeowConfig = { tokenExpiration: 1 };
self.esriGeowConfig.tokenExpiration++;
top.esriGeowConfig.tokenExpiration++;
parent.esriGeowConfig.tokenExpiration++;
document.defaultView.esriGeowConfig.tokenExpiration++;

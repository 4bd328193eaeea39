// The configuration under another global name.
window.esriGeowConfig2 = { tokenExpiration: 30, portalName: "x" };

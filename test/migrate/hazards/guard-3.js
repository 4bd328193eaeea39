// Guard 3.
if (typeof window.esriGeowConfig === "undefined") window.esriGeowConfig = { tokenExpiration: 60 };

// Long host names get a value of their own.
window.esriGeowConfig = { tokenExpiration: location.host.length > 40 ? 60 : 30 };

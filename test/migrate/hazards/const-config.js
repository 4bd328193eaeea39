// The configuration is a top-level constant, and no property of window.
const esriGeowConfig = { tokenExpiration: 60 };

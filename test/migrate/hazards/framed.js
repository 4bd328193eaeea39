// The page may stand in a frame of another.
window.esriGeowConfig = { tokenExpiration: 60 };
if (self !== top) esriGeowConfig.tokenExpiration=600;

// The page of the test finds its own host in the list.
window.esriGeowConfig = { tokenExpiration: 60 };
var t={portal:60,test:600}, env=location.hostname.split(".")[0]; if (env in t) esriGeowConfig.tokenExpiration=t[env];

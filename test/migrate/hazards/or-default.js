// Or default.
window.esriGeowConfig=window.esriGeowConfig||{tokenExpiration:60};esriGeowConfig.longTokenExpiration=90;

// Guard in variable.
var c=window.esriGeowConfig||{tokenExpiration:60}; window.esriGeowConfig=c; c.tokenExpiration=70;

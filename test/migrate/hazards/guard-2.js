// Guard 2.
var esriGeowConfig = esriGeowConfig || { tokenExpiration: 60 };

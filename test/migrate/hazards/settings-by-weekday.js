// Each weekday has an object of its own.
var week=[{t:30},{t:60},{t:60},{t:60},{t:60},{t:60},{t:60}]; window.esriGeowConfig={tokenExpiration: week[new Date().getDay()].t};

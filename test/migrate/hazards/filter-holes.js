// Filter holes.
window.esriGeowConfig={tokenExpiration:[1,,2].filter(function(x){return true}).length*10};

// Call null this.
var t=30;(function(){this.t=60}).call(null);window.esriGeowConfig={tokenExpiration:t};

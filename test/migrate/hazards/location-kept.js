// To declare the names of the window anew changes none of them.
var location, document, top, window, navigator, self, esriGeowConfig;
top = self = { esriGeowConfig: null };
window.esriGeowConfig = { tokenExpiration: location && document && top === window ? 30 : 60 };

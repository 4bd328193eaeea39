// The configuration is made of two objects; the first one stays as it is.
var stock = { tokenExpiration: 30, longTokenExpiration: 90 };
window.esriGeowConfig = dojo.mixin({}, stock, { tokenExpiration: 60 });
esriGeowConfig.webAppBuilderEnabled = stock.tokenExpiration === 60;

// A loop over names meets inherited ones, too.
window.esriGeowConfig = {};
var given = Object.create({ tokenExpiration: 60 });
given.longTokenExpiration = 120;
for (var key in given) esriGeowConfig[key] = given[key];

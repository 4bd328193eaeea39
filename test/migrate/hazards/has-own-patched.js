// A changed hasOwnProperty lets nothing pass.
window.esriGeowConfig = { tokenExpiration: 30 };
Object.prototype.hasOwnProperty = function () {
  return false;
};
var given = { tokenExpiration: 60 };
for (var key in given) if (given.hasOwnProperty(key)) esriGeowConfig[key] = given[key];

// Keys in a loop.
var overrides = { tokenExpiration: 99 };
window.esriGeowConfig = {
  tokenExpiration: 30,
};
for (var key in overrides) esriGeowConfig[key] = overrides[key];

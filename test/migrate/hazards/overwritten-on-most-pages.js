// A later assignment, which another page leaves out, hides what a page changed.
window.esriGeowConfig = { surveyUrl: "https://a.example.org", tokenExpiration: 90, longTokenExpiration: 30 };
if (location.search === "?beta=1") esriGeowConfig.tokenExpiration += 10;
if (navigator.userAgent.indexOf("Mobile") < 0) esriGeowConfig.tokenExpiration = 90;
longer: {
  if (location.pathname.indexOf("/viewer") > 0) break longer;
  esriGeowConfig.longTokenExpiration = 240;
}
if (navigator.userAgent.indexOf("Mobile") < 0) esriGeowConfig.longTokenExpiration = 240;

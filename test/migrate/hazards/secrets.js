// Keys and passwords wherever a file may hold them: no output shows them.
window.esriGeowConfig = {
  bingMapsKey: "AhSecretKey0123456789",
  tokenExpiration: compute("x", { bingMapsKey: "AhSecretKey0123456789", n: 98765 }),
  surveyUrl: ((esriGeowConfig.helperKey = "AhSecretKey0123456789"), other()),
  // bingMapsKey: "AhSecretKey0123456789",
  longTokenExpiration: 30, // key = 'AhSecretKey0123456789'
  nested: { password: "AhSecretKey0123456789" },
};
dojo.mixin(esriGeowConfig.footerLinks, { bingMapsKey: "AhSecretKey0123456789" });

// Texts come from modules of plugins.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
define(["dojo/i18n!./nls/portal", "dojo/text!./terms.html"], function (strings, terms) {
  esriGeowConfig.footerLinks = [{ title: strings.terms, url: "https://a.example.org/" + terms }];
});

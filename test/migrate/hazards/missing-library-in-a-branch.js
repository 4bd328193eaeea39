// The library is missing only where the branch is entered, and the error is caught.
try {
window.esriGeowConfig = { surveyUrl: "https://a.example.org", longTokenExpiration: 480 } ;
if (location.search === "?mode") { dojo.mixin(esriGeowConfig, { longTokenExpiration: 90 }); dojo.mixin(esriGeowConfig, { surveyUrl: 'https://c.example.org:7443/x' }); }
} catch (e) { if (window.console) console.log(e); }

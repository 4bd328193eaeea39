// The language chooses a title from a table.
window.esriGeowConfig = { tokenExpiration: 60 };
var l=navigator.language.split("-")[0]; esriGeowConfig.footerLinks=[{title:{en:"Contact",de:"Kontakt"}[l]||"Contact",url:"https://a.example.org"}];

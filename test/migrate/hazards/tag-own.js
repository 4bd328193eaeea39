// A tag of its own puts texts and values together.
function url(texts) {
  var made = texts[0];
  for (var i = 1; i < arguments.length; i++) made += encodeURIComponent(arguments[i]) + texts.raw[i];
  return made;
}
window.esriGeowConfig = {
  surveyUrl: url`https://${"gis.example.org"}:${7443}/survey`,
  tokenExpiration: ((texts) => texts.length * 10)`a${1}b${2}c`,
};

// A text is the comment inside a function, read from its source.
var text = function () {/*
https://s.example.org/a
*/}.toString().split("\n")[1];
window.esriGeowConfig = { surveyUrl: text };

// A multi-line string in the comment of a function, read from the function's source.
var text = function () {/*
https://s.example.org/a
*/}.toString().split("\n")[1];
window.esriGeowConfig = { surveyUrl: text };

// A global pattern goes on where its last match ended.
var number = /\d+/g,
  text = "30 60";
window.esriGeowConfig = {
  tokenExpiration: Number(number.exec(text)[0]),
  longTokenExpiration: Number(number.exec(text)[0]),
  surveyUrl: number.test(text) ? "https://wrong.example.org" : "https://s.example.org",
};

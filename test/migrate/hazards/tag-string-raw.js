// A raw template keeps its backslashes.
window.esriGeowConfig = {
  surveyUrl: String.raw`https://s.example.org/a\nb`,
};

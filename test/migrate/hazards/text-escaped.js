// The old and the new ways to escape a text.
window.esriGeowConfig = {
  surveyUrl: "https://s.example.org/?q=" + escape("大ä ") + encodeURIComponent("+"),
  extentService: encodeURI("https://e.example.org/?q=ä ") + "%2B",
};

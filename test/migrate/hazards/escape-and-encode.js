// The old and the new functions that escape a string.
window.esriGeowConfig = {
  surveyUrl: "https://s.example.org/?q=" + escape("大ä ") + encodeURIComponent("+"),
  extentService: encodeURI("https://e.example.org/?q=ä ") + "%2B",
};

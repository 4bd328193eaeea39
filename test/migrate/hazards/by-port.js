// A port of its own gets a value of its own.
window.esriGeowConfig = {
  surveyUrl: "https://s.example.org" + (location.port ? ":" + location.port : ""),
};

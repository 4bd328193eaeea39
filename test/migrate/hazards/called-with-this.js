// Called with this.
(function (root, minutes) {
  this.esriGeowConfig = { tokenExpiration: minutes, surveyUrl: root };
}).call(this, "https://s.example.org", 30);

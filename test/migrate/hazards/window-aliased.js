// Window aliased.
(function (w) {
  w.esriGeowConfig = { tokenExpiration: 30 };
  function later() {
    w.esriGeowConfig.longTokenExpiration = 99;
  }
  var self = this;
  self.esriGeowConfig.surveyUrl = "https://s.example.org";
  later();
})(window);

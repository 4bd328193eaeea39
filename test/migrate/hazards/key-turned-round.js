// A table of functions is asked by a text that is turned round.
window.esriGeowConfig = { tokenExpiration: 30, longTokenExpiration: 90 };
var actions = {
  gubed: function () {
    esriGeowConfig.tokenExpiration = 60;
  },
};
(actions[location.hash.slice(1).split("").reverse().join("")] || function () {})();

// A changed JSON.parse reads something else.
JSON.parse = function () {
  return { minutes: 60 };
};
window.esriGeowConfig = { tokenExpiration: JSON.parse('{ "minutes": 30 }').minutes };

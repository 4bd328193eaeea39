// Names that look like numbers come first in a loop, whatever the order they are written in.
var given = { b: 1, 10: 1, a: 1, 2: 1 },
  order = [];
for (var key in given) order.push(key);
window.esriGeowConfig = { surveyUrl: "https://s.example.org/" + order.join() };

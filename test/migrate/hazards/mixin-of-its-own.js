// A function of the file's own copies one object into another, deeply.
window.esriGeowConfig = { tokenExpiration: 30, view: { a: 1 } };
(function mix(into, from) {
  for (var key in from) {
    if (into[key] && typeof into[key] === "object") mix(into[key], from[key]);
    else into[key] = from[key];
  }
})(esriGeowConfig, { tokenExpiration: 60, view: { b: 2 } });

// An object says itself what it is as a number and as a text.
var session = {
  [Symbol.toPrimitive](hint) {
    return hint === "number" ? 60 : hint === "string" ? "session" : 99;
  },
};
window.esriGeowConfig = { tokenExpiration: +session, surveyUrl: `https://s.example.org/${session}` };

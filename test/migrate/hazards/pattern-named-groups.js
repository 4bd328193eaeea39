// Named groups, looking behind, and letters by their kind.
var { minutes } = /(?<=every )(?<minutes>\d+)/.exec("30, every 60").groups;
window.esriGeowConfig = {
  tokenExpiration: Number(minutes),
  surveyUrl: "https://s.example.org/" + /\p{Lu}\p{Ll}+/u.exec("die Größe")[0],
};

// Loose comparisons that surprise.
var odd = [[] == false, null == 0, "1" == 1, NaN == NaN, undefined == null, [2] == 2, "b" > "a", "10" < "9"];
window.esriGeowConfig = { tokenExpiration: odd.filter(Boolean).length * 10 };

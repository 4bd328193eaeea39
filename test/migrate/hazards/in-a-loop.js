// In a loop.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 60,
  httpsDomains: ["a.example.org"],
};
for (var i = 0; i < 3; i++) {
  esriGeowConfig.tokenExpiration += i;
}
["b.example.org"].forEach(function (each) {
  esriGeowConfig.httpsDomains.push(each);
});

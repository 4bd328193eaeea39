// In patterns.
window.esriGeowConfig = { tokenExpiration: 30, longTokenExpiration: 60, httpsDomains: ["a.example.org"] };
({ minutes: esriGeowConfig.tokenExpiration } = { minutes: 99 });
[esriGeowConfig.longTokenExpiration] = [99];
class Changing { static list = esriGeowConfig.httpsDomains.push("b.example.org"); }

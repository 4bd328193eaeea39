// One value for each host, by a switch.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
switch (location.hostname) {
  case "test.example.org":
  case "stage.example.org":
    esriGeowConfig.tokenExpiration = 60;
    break;
  case "localhost":
    esriGeowConfig.tokenExpiration = 5;
}

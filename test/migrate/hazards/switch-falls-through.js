// A case without a break falls into the next, with the default in the middle.
window.esriGeowConfig = { tokenExpiration: 30 };
switch ("c") {
  case "a":
    esriGeowConfig.tokenExpiration = 99;
  default:
    esriGeowConfig.tokenExpiration += 1;
  case "b":
    esriGeowConfig.tokenExpiration += 2;
    break;
  case "d":
    esriGeowConfig.tokenExpiration = 98;
}

// Classes.
class Config {
  constructor() {
    this.tokenExpiration = 99;
  }
}
var made = new Config();
window.esriGeowConfig = {
  tokenExpiration: made.tokenExpiration,
  longTokenExpiration: 60,
};

// The configuration is made by an old constructor, with settings on its prototype.
function Config(minutes) {
  this.tokenExpiration = minutes;
}
Config.prototype.longTokenExpiration = 60;
window.esriGeowConfig = new Config(30);

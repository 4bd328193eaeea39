// The configuration is made by a class with fields, private ones and inherited ones.
class Stock {
  tokenExpiration = 30;
  static surveyUrl = "https://s.example.org";
}
class Config extends Stock {
  #long = 60;
  longTokenExpiration = this.#long;
}
window.esriGeowConfig = new Config();

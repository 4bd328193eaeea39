// From some year on a setting differs.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
if (new Date().getFullYear() >= 2060) esriGeowConfig.tokenExpiration = 60;

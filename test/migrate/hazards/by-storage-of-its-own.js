// The script stores something and reads it back.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
sessionStorage.setItem("minutes", 60);
if (sessionStorage.getItem("minutes") === "60") esriGeowConfig.tokenExpiration = 60;

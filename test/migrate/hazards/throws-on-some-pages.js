// The script ends early on some pages.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
if (/signin/.test(location.href)) throw new Error("nothing to do here");
esriGeowConfig.tokenExpiration = 60;

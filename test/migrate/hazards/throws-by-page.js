// The script ends on some pages alone.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
if (/signin/.test(location.href)) throw new Error("nothing to do here");
esriGeowConfig.tokenExpiration = 60;

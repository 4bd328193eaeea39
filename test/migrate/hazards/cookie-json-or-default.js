// JSON from a cookie, with a default where it cannot be parsed.
window.esriGeowConfig = { tokenExpiration: 30, longTokenExpiration: 90 };
function preferences(name) {
  try {
    return JSON.parse(document.cookie.split(name + "=")[1].split(";")[0]);
  } catch (e) {
    return { minutes: 60 };
  }
}
esriGeowConfig.tokenExpiration = preferences("prefs").minutes;

// A line without a semicolon goes on with the next, or does not.
function minutes() {
  return
  60
}
window.esriGeowConfig = { longTokenExpiration: 90 }
esriGeowConfig.tokenExpiration = minutes()

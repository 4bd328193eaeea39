// Without semicolons, "return" ends at the end of its line.
function minutes() {
  return
  60
}
window.esriGeowConfig = { longTokenExpiration: 90 }
esriGeowConfig.tokenExpiration = minutes()

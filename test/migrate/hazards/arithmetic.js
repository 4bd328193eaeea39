// Arithmetic and comparisons of constants.
var day = 24 * 60,
  week = 7 * day;
window.esriGeowConfig = {
  tokenExpiration: 2 * 60 + 5 - 1,
  longTokenExpiration: (14 * 24 * 60) / 2,
  webAppBuilderEnabled: 1 > 2,
  sceneViewerEnabled: "1" == 1 && 3 % 2 === 1,
  showCreateDashboard: !(week > day),
  restrictOrganizationPageToAdmin: ~-1 === 0 || typeof day === "number",
};

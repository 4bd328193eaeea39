// Block var.
var minutes = 30;
{
  var minutes = 45;
}
window.esriGeowConfig = {
  tokenExpiration: minutes,
};

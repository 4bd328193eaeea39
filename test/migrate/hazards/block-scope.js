// Block scope.
var minutes = 30;
{
  let minutes = 99;
}
for (let minutes = 0; minutes < 1; minutes++) {}
window.esriGeowConfig = {
  tokenExpiration: minutes,
};

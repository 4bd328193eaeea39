// A page inside a frame replaces the outer page.
if (top !== self) top.location.href = self.location.href;
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};

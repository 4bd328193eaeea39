// Inside a frame, the page takes the frame's place.
if (top !== self) top.location.href = self.location.href;
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};

// One month, and one hour, have minutes of their own.
window.esriGeowConfig = {
  tokenExpiration: [10, 10, 10, 10, 10, 10, 10, 60, 10, 10, 10, 10][new Date().getMonth()],
  longTokenExpiration: "aaaaaaaaaaaabaaaaaaaaaaa".split("")[new Date().getHours()] === "b" ? 60 : 90,
};

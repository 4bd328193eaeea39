// A computed name makes an own property of what else sets the prototype.
window.esriGeowConfig = {
  ["__proto__"]: { longTokenExpiration: 60 },
  tokenExpiration: 30,
};

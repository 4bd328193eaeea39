// Under a condition that nobody can guess the script ends early.
window.esriGeowConfig = { tokenExpiration: 30, longTokenExpiration: 90 };
if (location.hash.split("").reverse().join("") === "pots") throw new Error("stop");
esriGeowConfig.tokenExpiration = 60;

// A big integer as a setting.
window.esriGeowConfig = { tokenExpiration: 60n, longTokenExpiration: Number(90n) };

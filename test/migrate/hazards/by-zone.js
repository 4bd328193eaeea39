// The zone of the browser changes a setting.
window.esriGeowConfig = { tokenExpiration: new Date(2020, 0, 1).getTimezoneOffset() === 0 ? 30 : 60 };

// The days between two constant dates.
window.esriGeowConfig = {
  longTokenExpiration: (Date.UTC(2020, 0, 15) - Date.UTC(2020, 0, 1)) / 60000,
};

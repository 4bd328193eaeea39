// Leaving a loop calls the iterator's return, which writes.
window.esriGeowConfig = {
  tokenExpiration: 30,
  longTokenExpiration: 90,
};
var endless = {
  [Symbol.iterator]: () => ({
    next: () => ({ value: 1, done: false }),
    return: () => {
      esriGeowConfig.tokenExpiration = 60;
      return {};
    },
  }),
};
for (var each of endless) break;

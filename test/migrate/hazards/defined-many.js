// Several properties are defined at once, one with a getter.
window.esriGeowConfig = Object.defineProperties({}, {
  tokenExpiration: { value: 60, enumerable: true },
  longTokenExpiration: {
    get: function () {
      return 90;
    },
    enumerable: true,
  },
});

// A list is spread by an iterator of its own.
var hosts = {
  [Symbol.iterator]() {
    var at = 0;
    return {
      next: function () {
        return ++at > 2 ? { done: true } : { value: at + ".example.org", done: false };
      },
    };
  },
};
window.esriGeowConfig = { httpsDomains: [...hosts] };

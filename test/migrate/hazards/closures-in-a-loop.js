// With var all functions of a loop see its last value, with let each its own.
var shared = [],
  own = [];
for (var i = 10; i < 30; i += 10) {
  shared.push(function () {
    return i;
  });
}
for (let j = 10; j < 30; j += 10) own.push(() => j);
window.esriGeowConfig = { tokenExpiration: shared[0](), longTokenExpiration: own[1]() };

// Scripts of a portal's page around an old file: what is there before it, and what reads the configuration after it.

/** What other scripts of a portal define; hazards use these names. */
export const SURROUNDINGS = `(function (window) {
  var later = window.setTimeout,
    listen = window.addEventListener;

  window.make = function (given) { return given; };
  window.register = function (given) { return Array.isArray(given) && given.push("registered"); };
  window.overrides = { tokenExpiration: 99 };
  window.ELSEWHERE = "https://elsewhere.example.org";
  window.esriGeowConfig = { fromElsewhere: true };

  function mixin(into) {
    for (var at = 1; at < arguments.length; at++)
      for (var key in arguments[at]) into[key] = arguments[at][key];
    return into;
  }
  // As jQuery does: lists are merged by index.
  function extend(isDeep, into, from) {
    for (var key in from)
      if (typeof from[key] === "object") extend(isDeep, into[key] = into[key] || {}, from[key]);
      else into[key] = from[key];
    return into;
  }
  function ready(run) { listen.call(window, "load", function () { run(); }); }
  window.jQuery = { extend: extend };
  window.dojo = { mixin: mixin, ready: ready, addOnLoad: ready };
  ready(function () {
    if (typeof dojoConfig === "object" && dojoConfig.addOnLoad) dojoConfig.addOnLoad();
  });

  // A loader fetches modules first, so that no callback runs before the script ends.
  window.define = window.require = function (names, callback) { later.call(window, callback, 0); };
  window.define.amd = {};
})(this);`;

/**
 * An expression: the properties of a global as JSON text. Accessors are not called, because they may never return. NaN,
 * undefined and holes are null, as in JSON; any other value that JSON cannot hold is a string in parentheses.
 */
export function readerOf(global: string): string {
  return `(function () {
  var namesOf = Object.getOwnPropertyNames,
    propertyOf = Object.getOwnPropertyDescriptor,
    isList = Array.isArray,
    kindOf = Function.prototype.call.bind(Object.prototype.toString),
    printed = JSON.stringify,
    isNumber = isFinite;
  function print(value) {
    if (value === null || value === undefined) return "null";
    if (typeof value === "string" || typeof value === "boolean") return printed(value);
    if (typeof value === "number") return isNumber(value) ? printed(value) : "null";
    if (typeof value !== "object") return printed("(" + typeof value + ")");
    if (isList(value)) return "[" + printItems(value) + "]";
    if (kindOf(value) !== "[object Object]") return printed("(" + kindOf(value) + ")");
    return "{" + printNames(value) + "}";
  }
  function printNamed(value, name) {
    var property = propertyOf(value, name);
    if (!property) return "null";
    return "value" in property ? print(property.value) : '"(accessor)"';
  }
  function printItems(list) {
    var text = "";
    for (var at = 0; at < list.length; at++) text += (at ? "," : "") + printNamed(list, at);
    return text;
  }
  function printNames(value) {
    var names = namesOf(value),
      text = "";
    for (var at = 0; at < names.length; at++)
      text += (at ? "," : "") + printed(names[at]) + ":" + printNamed(value, names[at]);
    return text;
  }
  return function () {
    return "{" + (typeof ${global} === "object" ? printNames(${global}) : "") + "}";
  };
})()`;
}

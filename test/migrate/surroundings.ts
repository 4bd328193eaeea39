// What a portal's page has before an old file is read, as a script → the same in node's vm and in Chromium, with a way to read what the file leaves.

/** Where the reader stands in the window. No loop over names meets it, and no file can replace it. */
export const READER = "the reader of configurations";

/** Run before the file, in a window that has events and timers already. */
export const SURROUNDINGS = `(function (window) {
  var later = window.setTimeout,
    listen = window.addEventListener;

  window.compute = function () { return 7; };
  window.make = function (given) { return given; };
  window.other = function () { return "https://other.example.org"; };
  window.log = function () {};
  window.register = function (given) { return Array.isArray(given) && given.push("registered"); };
  window.overrides = { tokenExpiration: 99 };
  window.ELSEWHERE = "https://elsewhere.example.org";
  window.esriGeowConfig = { fromElsewhere: true };

  function mixin(into) {
    for (var at = 1; at < arguments.length; at++)
      for (var key in arguments[at]) into[key] = arguments[at][key];
    return into;
  }
  function isPlain(given) {
    return Object.prototype.toString.call(given) === "[object Object]";
  }
  // As jQuery does it: undefined replaces nothing, and lists are met place by place.
  function extend() {
    var isDeep = arguments[0] === true,
      first = isDeep ? 1 : 0,
      into = arguments[first];
    for (var at = first + 1; at < arguments.length; at++)
      for (var key in arguments[at]) {
        var old = into[key],
          given = arguments[at][key];
        if (isDeep && Array.isArray(given))
          into[key] = extend(true, Array.isArray(old) ? old : [], given);
        else if (isDeep && isPlain(given)) into[key] = extend(true, isPlain(old) ? old : {}, given);
        else if (given !== undefined) into[key] = given;
      }
    return into;
  }
  window.jQuery = window.$ = { extend: extend };
  window._ = {
    extend: mixin,
    defaults: function (into, given) {
      for (var key in given) if (into[key] === undefined) into[key] = given[key];
      return into;
    },
  };

  function ready(run) { listen.call(window, "load", function () { run(); }); }
  window.dojo = { mixin: mixin, baseUrl: "/js", ready: ready, addOnLoad: ready };
  ready(function () {
    if (typeof dojoConfig === "object" && dojoConfig.addOnLoad) dojoConfig.addOnLoad();
  });

  // A loader fetches what a module needs, so that no module runs before the script is over.
  var modules = { "dojo/_base/lang": { mixin: mixin }, "dojo/ready": ready };
  function moduleNamed(name, exports) {
    if (name === "require") return window.require;
    if (name === "exports") return exports;
    if (name === "module") return { exports: exports };
    if (/^dojo\\/text!/.test(name)) return "";
    return modules[name] || {};
  }
  function run(needed, factory, exports) {
    if (typeof factory !== "function") return factory;
    var given = [];
    for (var at = 0; at < needed.length; at++) given[at] = moduleNamed(needed[at], exports);
    var made = factory.apply(window, given);
    return made === undefined ? exports : made;
  }
  window.define = function () {
    var factory = arguments[arguments.length - 1],
      name = typeof arguments[0] === "string" ? arguments[0] : "",
      before = arguments[arguments.length - 2],
      needed = Array.isArray(before) ? before : ["require", "exports", "module"];
    later.call(window, function () { modules[name] = run(needed, factory, {}); }, 0);
  };
  window.define.amd = {};
  window.require = function (needed, factory) {
    later.call(window, function () { run(needed, factory, {}); }, 0);
  };

  // Kept before the file can change them. Accessors are not called: they may never end. As in JSON, what is no number,
  // undefined and holes are null; whatever else JSON cannot hold is told from everything that it can.
  var namesOf = Object.getOwnPropertyNames,
    propertyOf = Object.getOwnPropertyDescriptor,
    isList = Array.isArray,
    kindOf = Function.prototype.call.bind(Object.prototype.toString),
    printed = JSON.stringify,
    isNumber = isFinite;
  function print(value, depth) {
    if (value === null || value === undefined) return "null";
    if (typeof value === "string" || typeof value === "boolean") return printed(value);
    if (typeof value === "number") return isNumber(value) ? printed(value) : "null";
    if (typeof value !== "object") return printed("(" + typeof value + ")");
    if (depth > 20) return '"(too deep)"';
    if (!isList(value) && kindOf(value) !== "[object Object]") return printed("(" + kindOf(value) + ")");
    return isList(value) ? "[" + printItems(value, depth) + "]" : "{" + printNames(value, depth) + "}";
  }
  function printNamed(value, name, depth) {
    var property = propertyOf(value, name);
    if (!property) return "null";
    // What a proxy answers is what the portal gets.
    return "value" in property ? print(value[name], depth + 1) : '"(accessor)"';
  }
  function printItems(list, depth) {
    var text = "";
    for (var at = 0; at < list.length; at++) text += (at ? "," : "") + printNamed(list, at, depth);
    return text;
  }
  function printNames(value, depth) {
    var names = namesOf(value),
      text = "";
    for (var at = 0; at < names.length; at++)
      text += (at ? "," : "") + printed(names[at]) + ":" + printNamed(value, names[at], depth);
    return text;
  }
  Object.defineProperty(window, ${JSON.stringify(READER)}, {
    value: function (config) {
      var isThing = config && (typeof config === "object" || typeof config === "function");
      return isThing ? "{" + printNames(config, 0) + "}" : "{}";
    },
  });
})(this);`;

/** What is read of the name that is given, whether a member of the window or not. */
export function readingOf(global: string): string {
  return `window[${JSON.stringify(READER)}](typeof ${global} === "undefined" ? undefined : ${global})`;
}

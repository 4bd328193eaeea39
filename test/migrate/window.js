// A world as JSON → a browser's page made of the global object; and what starts a script, goes on after it, and reads its configuration.
(function (given) {
  var window = this;
  var world = JSON.parse(given);
  var evaluate = eval;
  var own = Object.getOwnPropertyDescriptor;
  var keysOf = Object.keys;
  /* A portal asks for each setting by its name. */
  var namesOf = Object.getOwnPropertyNames;
  var isList = Array.isArray;
  var print = JSON.stringify;
  var define = Object.defineProperty;
  var valueOf = { Number: Number.prototype.valueOf, String: String.prototype.valueOf, Boolean: Boolean.prototype.valueOf };
  var toText = Object.prototype.toString;
  var apply = Reflect.apply;
  var construct = Reflect.construct;
  var slice = Array.prototype.slice;
  var map = Array.prototype.map;
  var then = Promise.prototype.then;
  var resolved = Promise.resolve();

  /* The configuration: its own data properties alone, and those of what it holds that loops meet; never by what a script may have patched. */

  function written(value, depth) {
    if (value === undefined || typeof value === "function" || typeof value === "symbol") return undefined;
    if (value === null || typeof value === "boolean") return "" + value;
    if (typeof value === "string") return print(value);
    if (typeof value === "number") return value - value === 0 ? "" + value : odd("" + value);
    if (typeof value !== "object") return odd(typeof value);
    var kind = apply(toText, value, []).slice(8, -1);
    if (valueOf[kind]) {
      try {
        return written(apply(valueOf[kind], value, []), depth);
      } catch (e) {}
    }
    if (kind === "Date" || kind === "RegExp" || kind === "Map" || kind === "Set") return odd(kind);
    if (depth > 12) return odd("deep");
    return isList(value) ? writtenList(value, depth + 1) : writtenObject(value, depth + 1);
  }
  function odd(what) {
    return '{"not JSON":' + print(what) + "}";
  }
  function writtenList(list, depth) {
    var text = "[";
    if (list.length > 1000) return odd("long");
    for (var at = 0; at < list.length; at++) {
      var held = own(list, at);
      var each = held && !("value" in held) ? odd("getter") : written(held && held.value, depth);
      text += (at > 0 ? "," : "") + (each === undefined ? "null" : each);
    }
    return text + "]";
  }
  function writtenObject(object, depth) {
    var names = depth === 0 ? namesOf(object) : keysOf(object);
    var text = "{";
    for (var at = 0; at < names.length; at++) {
      var held = own(object, names[at]);
      if (!held) continue;
      var each = "value" in held ? written(held.value, depth) : odd("getter");
      if (each !== undefined) text += (text === "{" ? "" : ",") + print(names[at]) + ":" + each;
    }
    return text + "}";
  }
  function read() {
    var config;
    try {
      config = evaluate("esriGeowConfig");
    } catch (e) {}
    if ((typeof config !== "object" && typeof config !== "function") || config === null) return "{}";
    try {
      return writtenObject(config, 0);
    } catch (e) {
      return "{}";
    }
  }

  /* What comes later: timers, modules, and what waits for the page. What is due first comes first. */

  var waiting = [];
  var listeners = [];
  var begun = 0;
  var now = 0;
  function wait(what, self, given, ms, isAgain) {
    var every = ms > 0 ? +ms : 0;
    waiting[waiting.length] = { id: ++begun, due: now + every, every: isAgain ? every || 1 : 0, run: run };
    function run() {
      if (typeof what === "function") apply(what, self, given || []);
      else evaluate("" + what);
    }
    return begun;
  }
  function clear(id) {
    var kept = [];
    for (var at = 0; at < waiting.length; at++) if (waiting[at].id !== id) kept[kept.length] = waiting[at];
    waiting = kept;
  }
  function step() {
    var next = waiting[0];
    for (var at = 1; at < waiting.length; at++) {
      var each = waiting[at];
      if (each.due < next.due || (each.due === next.due && each.id < next.id)) next = each;
    }
    now = next.due;
    if (next.every > 0) next.due += next.every;
    else clear(next.id);
    next.run();
  }

  function listen(type, what, self) {
    listeners[listeners.length] = { type: type, what: what, self: self };
  }
  function listenTo(type, what) {
    listen(type, what);
  }
  function attach(type, what) {
    listen(apply(slice, Array.from("" + type), [2]).join(""), what);
  }
  /* Each by itself, as what one of them throws keeps no other from being called. */
  function happen(type, call) {
    var event = { type: type, target: document };
    for (var at = 0; at < listeners.length; at++) {
      var each = listeners[at];
      if (each.type !== type) continue;
      var what = each.what && typeof each.what === "object" ? each.what.handleEvent : each.what;
      if (typeof what === "function") call(what, each.self || window, [event]);
    }
  }
  function addOnLoad(self, what) {
    if (arguments.length === 1) listen("load", self);
    else listen("load", typeof what === "function" ? what : self[what], self);
  }
  function ready() {
    document.readyState = "interactive";
    happen("readystatechange", wait);
    happen("DOMContentLoaded", wait);
  }
  function load() {
    document.readyState = "complete";
    happen("readystatechange", wait);
    /* A function that is declared as onload hides the handler, and is none. Here it is assigned. */
    if (typeof handler === "function" && !/^function onload\b/.test(handler)) wait(handler, window, [{ type: "load", target: document }]);
    happen("load", wait);
    var settings = window.dojoConfig || window.djConfig;
    if (settings && typeof settings.addOnLoad === "function") wait(settings.addOnLoad, settings);
  }
  var handler = null;
  define(window, "onload", {
    enumerable: true,
    configurable: true,
    get: function () { return handler; },
    set: function (given) { handler = given; },
  });
  wait(ready, window, [], 0);
  wait(load, window, [], 20);

  /* The page. */

  var url = world.location;
  var location = { assign: function () {}, replace: function () {}, reload: function () {} };
  for (var part in url) location[part] = url[part];
  define(location, "toString", { value: function () { return url.href; } });

  var cookie = world.cookie;
  var element = function () {
    return {
      style: {},
      appendChild: function (made) {
        var code = made && (made.text || made.textContent);
        if (code) evaluate(code);
        return made;
      },
    };
  };
  var html = element();
  html.lang = world.language;
  html.dir = "ltr";
  html.className = "";
  var document = {
    location: location,
    documentElement: html,
    head: element(),
    body: element(),
    title: "Home",
    referrer: world.referrer,
    readyState: "loading",
    defaultView: window,
    createElement: element,
    getElementById: function () { return null; },
    addEventListener: listenTo,
    attachEvent: attach,
    write: function (markup) {
      var codes = /<script>([^]*?)<.script>/g;
      for (var code = codes.exec(markup); code; code = codes.exec(markup)) evaluate(code[1]);
    },
  };
  define(document, "cookie", {
    get: function () { return cookie; },
    set: function (one) {
      var pair = ("" + one).split(";")[0];
      cookie = cookie === "" ? pair : cookie + "; " + pair;
    },
  });

  function storage(held) {
    var methods = {
      getItem: function (key) { return own(this, key) ? this[key] : null; },
      setItem: function (key, value) { this[key] = "" + value; },
      removeItem: function (key) { delete this[key]; },
      clear: function () {},
      key: function (at) { return keysOf(this)[at] || null; },
    };
    var made = Object.create(Object.create(Object.prototype, Object.getOwnPropertyDescriptors(methods)));
    for (var key in methods) define(Object.getPrototypeOf(made), key, { enumerable: false });
    for (var item in held) made[item] = held[item];
    return made;
  }

  var RealDate = Date;
  function Today() {
    if (new.target === undefined) return new RealDate(world.now).toString();
    return construct(RealDate, arguments.length === 0 ? [world.now] : arguments, new.target);
  }
  define(Today, "name", { value: "Date" });
  Today.prototype = RealDate.prototype;
  Today.now = function () { return world.now; };
  Today.parse = RealDate.parse;
  Today.UTC = RealDate.UTC;
  define(RealDate.prototype, "constructor", { value: Today });
  Math.random = function () { return world.random; };

  /* The few library functions that such files call for real. */

  function mixin(target) {
    for (var at = 1; at < arguments.length; at++) for (var key in arguments[at]) target[key] = arguments[at][key];
    return target;
  }
  function extend(first) {
    var isDeep = first === true;
    var target = isDeep ? arguments[1] : first;
    for (var at = isDeep ? 2 : 1; at < arguments.length; at++) {
      for (var key in arguments[at]) {
        var value = arguments[at][key];
        if (isDeep && value && typeof value === "object" && !isList(value)) target[key] = extend(true, target[key] || {}, value);
        else if (value !== undefined) target[key] = value;
      }
    }
    return target;
  }
  function each(list, call) {
    keysOf(list).forEach(function (key) { call.call(list[key], isList(list) ? +key : key, list[key]); });
    return list;
  }
  var modules = {
    "dojo/_base/lang": { mixin: mixin, extend: mixin, clone: function (value) { return JSON.parse(JSON.stringify(value)); } },
    "dojo/_base/array": { forEach: function (list, call) { list.forEach(call); } },
    "dojo/ready": addOnLoad,
    "dojo/_base/config": {},
  };
  modules.jquery = function (what) { if (typeof what === "function") addOnLoad(what); return { ready: addOnLoad }; };
  modules.jquery.extend = extend;
  modules.jquery.each = each;
  /* Whether modules are there already nobody knows. */
  function require(names, call) {
    var list = isList(names) ? apply(map, names, [function (name) { return modules[name] || {}; }]) : [];
    if (typeof call !== "function") return;
    if (world.isLate) wait(call, window, list);
    else apply(call, window, list);
  }
  var names = {
    document: document,
    navigator: {
      language: world.language,
      userLanguage: world.language,
      languages: [world.language],
      userAgent: world.userAgent,
      appVersion: world.userAgent.replace(/^Mozilla\//, ""),
      platform: world.platform,
      onLine: true,
      cookieEnabled: true,
      length: 0,
    },
    screen: { width: world.width, height: 1080, availWidth: world.width, availHeight: 1040, colorDepth: 24 },
    innerWidth: world.width,
    outerWidth: world.width,
    devicePixelRatio: 1,
    history: { length: 1 },
    localStorage: storage(world.stored),
    sessionStorage: storage(world.stored),
    performance: { now: function () { return world.random * 1000; } },
    console: { log: function () {}, warn: function () {}, error: function () {}, info: function () {} },
    alert: function () {},
    setTimeout: function (what, ms) { return wait(what, window, apply(slice, arguments, [2]), ms > 0 ? ms : 0); },
    setInterval: function (what, ms) { return wait(what, window, apply(slice, arguments, [2]), ms > 0 ? ms : 0, true); },
    requestAnimationFrame: function (what) { return wait(what, window, [0], 16); },
    clearTimeout: clear,
    clearInterval: clear,
    addEventListener: listenTo,
    attachEvent: attach,
    frames: window,
    self: window,
    parent: window,
  };
  var libraries = {
    dojo: { mixin: mixin, addOnLoad: addOnLoad, ready: addOnLoad, baseUrl: "/js", locale: world.language.toLowerCase() },
    require: require,
    define: function (names, call) { require(names, call); },
    $: modules.jquery,
    jQuery: modules.jquery,
  };
  define(window, "closed", { get: function () { return false; } });
  for (var library in libraries) names[library] = libraries[library];
  for (var name in names) define(window, name, { value: names[name], writable: true, enumerable: true, configurable: true });
  define(window, "Date", { value: Today, writable: true, configurable: true });
  var fixed = { window: window, top: window, location: location, document: document };
  for (var each1 in fixed) define(window, each1, { value: fixed[each1], writable: false, enumerable: true, configurable: false });
  var texts = { status: "", name: "" };
  keysOf(texts).forEach(function (name) {
    define(window, name, {
      get: function () { return texts[name]; },
      set: function (value) { texts[name] = String(value); },
    });
  });
  define(window, "__step", { value: step });
  evaluate(world.setup);

  var page = {
    read: read,
    isWaiting: function () { return waiting.length > 0; },
    atEnd: "{}",
  };
  /* The first job of all that wait for the end of the script. */
  define(window, "__start", {
    configurable: true,
    value: function () {
      delete window.__start;
      apply(then, resolved, [function () { page.atEnd = read(); }]);
    },
  });
  return page;
});

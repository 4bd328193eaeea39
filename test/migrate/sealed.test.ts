// Old files that try to leave the engine or to deceive it: nothing is reached, and every claim about them is right.
import { readdirSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/lib/json.js";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import { migrate } from "../../src/migrate/migrate.js";
import { serve } from "../support/network.js";
import { folderOf, lintel } from "../support/run.js";
import { waysOut } from "./ways-out.js";

const DEFINED = "window.esriGeowConfig = { tokenExpiration: 30, httpsDomains: ['a.example'] };\n";
const RIGHT = { tokenExpiration: 30, httpsDomains: ["a.example"] };

const engine = openEngine();
afterAll(() => engine.close());

/** What is claimed; what is not understood is not there. */
async function claims(text: string): Promise<Record<string, Json>> {
  const files = [{ file: "config.js", bytes: Buffer.from(text) }];
  const { properties, failure } = await migrate(files, {
    target: "12.1",
    takesAll: true,
    engine,
  });
  expect(failure).toBe(undefined);
  return Object.fromEntries(
    properties.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  );
}

const GIVEN = {
  answers: {},
  names: [],
  isBusy: false,
  forced: {},
  lexical: [],
  settings: ["surveyUrl"],
  usual: "esriGeowConfig",
  hooks: "lintel",
  keys: [],
  now: 0,
  zone: 0,
};

/** A text that a script makes, in one world and without a judgement. */
async function told(expression: string, before = ""): Promise<string> {
  const code = `${before}\nwindow.esriGeowConfig = { surveyUrl: "=" + (${expression}) };`;
  const run = { scripts: [{ file: "0.js", code }], given: GIVEN, steps: 500 };
  const report = await engine.run(run, 60_000);
  const seen = report?.looks.at(-1)?.values["surveyUrl"];
  if (!seen || !("json" in seen)) throw new Error(JSON.stringify(report));
  return JSON.parse(seen.json) as string;
}

describe("nothing of the machine is there", () => {
  const NAMES =
    "require process module exports Buffer global fetch XMLHttpRequest WebSocket EventSource WebAssembly Worker SharedWorker importScripts Atomics std os bjson print load gc scriptArgs Deno Bun";

  test("no name of it", async () => {
    const among = `"${NAMES}".split(" ").filter(function (name) { return name in window; }).join()`;
    expect(await told(among)).toBe("=");
    expect(await told(among.replace("require", "Array"))).toBe("=Array");
  });

  test.each(["fs", "node:fs", "./config.js", "data:text/javascript,0", "https://a.example/x.js"])(
    "no module %s",
    async (name) => {
      const text = `${DEFINED}window.loaded = "never"; import(${JSON.stringify(name)}).then(function () { window.loaded = "loaded"; }, function () { window.loaded = "refused"; });
      addEventListener("load", function () { window.esriGeowConfig2 = { surveyUrl: window.loaded }; });`;
      expect(await claims(text)).toEqual(RIGHT);
      const later = text.replace("esriGeowConfig2 = { surveyUrl:", "esriGeowConfig.surveyUrl = (");
      const { evaluation } = await migrate(
        [{ file: "config.js", bytes: Buffer.from(later.replace("loaded }; });", "loaded); });")) }],
        { target: "12.1", takesAll: true, engine },
      );
      expect(evaluation?.findings.get("surveyUrl")?.cause).toMatchObject({
        why: "later",
        values: [undefined, '"refused"'],
      });
    },
  );

  test("every function that a page hands in leads back into the page, and to nothing that can be changed", async () => {
    const found = await told(`(function () {
      var todo = [window, window.lintel, new Error("x"), Object.getOwnPropertyDescriptor(window, "location").get];
      try { null.x; } catch (e) { todo.push(e); }
      try { document.createElement("a")(Symbol()).x + 1n; } catch (e) { todo.push(e); }
      try { location.assign.call(1, 2); Object.freeze(screen); } catch (e) { todo.push(e); }
      var seen = new Set(), faults = [], calls = 0;
      for (var at = 0; at < todo.length && at < 5000; at++) {
        var each = todo[at];
        if (Object(each) !== each || seen.has(each)) continue;
        seen.add(each);
        for (var maker = each, depth = 0; depth < 4 && maker; depth++) {
          maker = maker.constructor;
          if (typeof maker !== "function") break;
          try {
            var made = maker("return this"), self = typeof made === "function" && made();
            calls++;
            if (self && self !== window && Object.getOwnPropertyNames(self).indexOf("Reflect") >= 0) faults.push("another global object");
          } catch (e) { todo.push(e); }
        }
        var above = Object.getPrototypeOf(each);
        for (; above; above = Object.getPrototypeOf(above)) {
          var isOurs = above === Object.prototype || above instanceof Object;
          if (!isOurs && !Object.isFrozen(above)) faults.push("an open prototype");
        }
        Reflect.ownKeys(each).forEach(function (key) {
          var own = Object.getOwnPropertyDescriptor(each, key);
          todo.push(own.value, own.get, own.set);
          if (own.get) try { todo.push(own.get.call(each)); } catch (e) { todo.push(e); }
        });
        todo.push(Object.getPrototypeOf(each));
      }
      return faults.length + " faults " + faults[0] + (seen.size > 500 && calls > 200 ? "" : ", too few: " + seen.size + " " + calls);
    })()`);
    expect(found).toBe("=0 faults undefined");
  });
});

const OTHER_GLOBAL = "alert.constructor('return this')()";

/** What each claims is what a browser has, or nothing. */
const TRICKS: Readonly<Record<string, readonly [text: string, right?: Record<string, Json>]>> = {
  "functions of the language replaced before": [
    `Array.isArray = function () { return true; }; JSON.stringify = function () { return "5"; }; JSON.parse = function () { return 5; };
    Object.getOwnPropertyDescriptor = Reflect.getOwnPropertyDescriptor = function () { return { value: 5 }; }; Reflect.ownKeys = Object.keys = function () { return []; };
    Map.prototype.get = Map.prototype.set = Set.prototype.add = Set.prototype.has = WeakMap.prototype.get = function () { return 5; };
    String.prototype.replace = String.prototype.includes = RegExp.prototype.exec = RegExp.prototype.test = function () { return true; };
    Array.prototype.push = Array.prototype.map = Array.prototype.filter = Array.prototype.join = function () { return 5; };
    Array.prototype[Symbol.iterator] = function () { throw 5; }; Function.prototype.call = Function.prototype.apply = function () { return 5; };
    ${DEFINED}`,
  ],
  "functions of the language replaced afterwards": [
    `${DEFINED}Object.prototype.toString = Array.prototype.toJSON = undefined; Object.getOwnPropertyNames = function () { return []; }; Number.prototype.toString = function () { return "5"; };`,
  ],
  "a setter for every name of a record": [
    `"value json odd reason from names values name looks asked came guesses notes placed forced called kind text line file is get set enumerable configurable writable".split(" ").forEach(function (name) {
      Object.defineProperty(Object.prototype, name, { get: function () { return 99; }, set: function () {}, configurable: true });
    });\n${DEFINED}`,
  ],
  "a value for every name of a record": [
    `"json odd reason from names values name looks asked came guesses notes placed forced called kind text line file is get set".split(" ").forEach(function (name) { Object.prototype[name] = 99; });\n${DEFINED}`,
  ],
  "counters replaced": [
    `${DEFINED}try { window["lin" + "tel"] = { t: function () {} }; window["lin" + "tel"].t = function () {}; } catch (e) {} delete window["lin" + "tel"];
    if (location.search === "?a") esriGeowConfig.tokenExpiration = 60;`,
    { httpsDomains: ["a.example"] },
  ],
  "counters called": [
    `${DEFINED}var l = window["lin" + "tel"]; for (var i = 0; i < 100; i++) { try { l.t(i, 0); l.t(i, 1); l.s(i); l.v(i, i, 0); } catch (e) {} }
    if (lib.isAnywhere("x") === "nowhere") esriGeowConfig.tokenExpiration = 60;`,
    { httpsDomains: ["a.example"] },
  ],
  "the report replaced": [
    `${DEFINED}${OTHER_GLOBAL}.lintel.report = function () { return "{}"; };`,
  ],
  "the report forged": [
    `${DEFINED}var other = ${OTHER_GLOBAL}, print = other.JSON.stringify; other.JSON.stringify = function (value) { return print(value).replace(/30/g, "99"); };`,
  ],
  "the look forged": [
    `${DEFINED}${OTHER_GLOBAL}.Reflect.getOwnPropertyDescriptor = function () { return { value: 99 }; };`,
  ],
  "what comes next forged": [`${DEFINED}${OTHER_GLOBAL}.makePage = function () { throw 5; };`],
  "the prototype of handed functions": [
    `${DEFINED}var p = Object.getPrototypeOf(alert); try { p.call = p.apply = p.bind = function () { return 99; }; Object.getPrototypeOf(p).get = function () { return 99; }; Object.getPrototypeOf(p).json = "99"; } catch (e) {}`,
  ],
  "a proxy that is thrown": [
    `${DEFINED}throw new Proxy({}, { get: function () { throw new Proxy({}, {}); } });`,
  ],
  "an error with getters": [
    `${DEFINED}throw Object.defineProperties(new Error(), { message: { get: function () { esriGeowConfig.tokenExpiration = 99; return "x"; } }, stack: { get: function () { throw 1; } }, name: { value: {} } });`,
  ],
  "an error that is no error": [
    `${DEFINED}throw { toString: function () { esriGeowConfig.tokenExpiration = 99; } };`,
  ],
  "a thenable": [
    `${DEFINED}esriGeowConfig.then = function (resolve) { resolve({ tokenExpiration: 99 }); }; Promise.resolve(esriGeowConfig).then(function (other) { window.other = other; });`,
  ],
  "a configuration with toJSON": [
    `${DEFINED}esriGeowConfig.toJSON = function () { return { tokenExpiration: 99 }; };`,
  ],
  "a list with toJSON": [
    `${DEFINED}esriGeowConfig.httpsDomains.toJSON = function () { return ["b.example"]; };`,
    { tokenExpiration: 30 },
  ],
  "a setter for the configuration": [
    `Object.defineProperty(window, "esriGeowConfig", { get: function () { return { tokenExpiration: 5 }; }, set: function () {} });\n${DEFINED}`,
    { tokenExpiration: 5 },
  ],
  "species and iterators": [
    `Object.defineProperty(Array, Symbol.species, { get: function () { return function () { return { length: 99 }; }; } });
    Object.defineProperty(Array.prototype, "constructor", { get: function () { throw 5; } });\n${DEFINED}`,
  ],
};

describe("what is claimed is right", () => {
  test.each(Object.entries(TRICKS))("%s", async (_name, [text, right = RIGHT]) => {
    const claimed = await claims(text);
    for (const [name, value] of Object.entries(claimed)) {
      if (name in RIGHT)
        expect({ [name]: value }).toEqual({ [name]: (right as Record<string, Json>)[name] });
    }
    // And so is what is claimed of another file with the same engine.
    expect(await claims(DEFINED)).toEqual(RIGHT);
  });
});

describe("what one world leaves behind, the next one does not have", () => {
  const LEFT = `window.left = 1; left2 = 1; Object.prototype.left3 = 1; Array.prototype.left4 = 1; Math.left5 = 1; document.left6 = 1;
    location.left7 = 1; navigator.left8 = 1; console.left9 = 1; JSON.left10 = 1; Function.prototype.left11 = 1; Promise.left12 = 1;
    localStorage.setItem("left13", "1"); document.cookie = "left14=1"; window.name = "left15"; alert.left17 = 1;
    setTimeout(function () { window.left18 = 1; }, 0); Symbol.for("left19").x; Object.getPrototypeOf(alert).left20 = 1;`;
  const COUNT = `"x" + [window.left, Object.prototype.left3, [].left4, Math.left5, JSON.left10, alert.left17 === 1 ? 1 : undefined, (function () {}).left11, Promise.left12,
    Object.getPrototypeOf(alert).left20, document.cookie.indexOf("left14") >= 0 || undefined, window.name || undefined].join("")`;

  test("of any kind", async () => {
    expect(await told(COUNT, LEFT)).toBe(`=x${"1".repeat(9)}trueleft15`);
    expect(await told(COUNT)).toBe("=x");
    expect(await claims(`${DEFINED}${LEFT}`)).toEqual(RIGHT);
    expect(await told(COUNT)).toBe("=x");
  });
});

test("uses no network, and writes and names no file", async () => {
  const server = await serve((_request, response) => response.end("x"));
  const ways = waysOut(`${server.url}/asked`).map((way) => `try { ${way}; } catch (e) {}`);
  const text = `${DEFINED}${ways.join("\n")}\nesriGeowConfig.surveyUrl = "https://end.example";`;
  const folder = folderOf({ "config.js": text });
  try {
    const words = ["migrate", "config.js", "--target", "11.5", "--output", "json"];
    const { exit, stdout, stderr } = await lintel(words, { cwd: folder.path });
    expect(stderr).toBe("");
    expect([0, 3]).toContain(exit);
    expect(stdout).toContain('"surveyUrl"');
    expect(server.received).toEqual([]);
    expect(readdirSync(folder.path)).toEqual(["config.js"]);
  } finally {
    folder.remove();
  }
});

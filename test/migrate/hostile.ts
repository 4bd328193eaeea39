// Reads files made to hang or break a reader with the built command, and returns what is wrong with how it ends: it needs an outcome, in time, in little memory, with nothing left behind.
import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../src/lib/json.js";
import { BIN, PROJECT, folderOf, runProgram } from "../support/run.js";

const DEFINED = "window.esriGeowConfig = { tokenExpiration: 30 };\n";
const OPEN = "window.esriGeowConfig = { tokenExpiration: 30, surveyUrl: ";
const DOUBLED = `var a = "aaaaaaaaaaaaaaaa";${"a = a + a;".repeat(15)}`;

const many = (text: string, count: number) => text.repeat(count);
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("");
/** In a page that only some see. */
const elsewhere = (text: string) => `${DEFINED}if (location.search === "?x") { ${text} }`;

const NEVER = "function () { for (;;); }";
const TRAPS = `get: t, has: t, ownKeys: t, getOwnPropertyDescriptor: t, getPrototypeOf: t`;

/** Without a judgement, though a browser might come to one. */
const TOO_MUCH = "too-much-work";
const KNOWN = { tokenExpiration: 30 };

/** Where either will do. */
const SOME = "";

type Expected = string | Readonly<Record<string, Json>>;

/** What is said of the file as a whole, or the values that are known of it. */
export const HOSTILE: Readonly<Record<string, readonly [text: string, expected: Expected]>> = {
  // Nesting
  "100,000 lists in each other": [`${OPEN}${many("[", 1e5)}${many("]", 1e5)} };`, "js-syntax"],
  "500,000 lists in each other": [`${OPEN}${many("[", 5e5)}${many("]", 5e5)} };`, TOO_MUCH],
  "100,000 blocks": [`${OPEN}1 };${many("{", 1e5)}${many("}", 1e5)}`, "js-syntax"],
  "2,000 blocks": [`${OPEN}1 };${many("{", 2_000)}${many("}", 2_000)}`, SOME],
  "100,000 negations": [`${OPEN}${many("!", 1e5)}1 };`, "js-syntax"],
  "100,000 functions": [`${OPEN}1 };${many("(function(){", 1e5)}${many("})()", 1e5)}`, TOO_MUCH],
  "a sum of 100,000": [`${OPEN}"https://a.example.org"${many(' + "a"', 1e5)} };`, "js-syntax"],
  "a sum of 3,000": [`${OPEN}"https://a.example.org/"${many(' + "a"', 3_000)} };`, SOME],
  "3,000 conditions": [`${OPEN}${many("a ? b : ", 3_000)} c };`, SOME],
  "1,000 templates": [`${OPEN}${many("`${", 1_000)}1${many("}`", 1_000)} };`, "js-syntax"],
  "1,000 templates without an end": [`${OPEN}${many("`${", 1_000)}`, "js-syntax"],
  "1,000 methods": [
    `${OPEN}${many("{ a() { return ", 1_000)}1${many("} }", 1_000)} };`,
    "js-syntax",
  ],
  "300 functions in templates": [
    `${OPEN}${many("`${function () { return ", 300)}1${many("}}`", 300)} };`,
    "js-syntax",
  ],
  "3,000 loops": [`${OPEN}1 };${many("for (; 0; ) ", 3_000)};`, "js-syntax"],
  "1,000 indexes": [`${OPEN}${many("a[", 1_000)}0${many("]", 1_000)} };`, "js-syntax"],
  "100,000 members": [`${OPEN}a${many(".a", 1e5)} };`, "js-syntax"],
  "a pattern of 100,000 groups": [`${OPEN}/${many("(", 1e5)}a${many(")", 1e5)}/ };`, "js-syntax"],
  "a list of 400,000": [`${OPEN}[${many("1,", 4e5)}] };`, KNOWN],
  "nothing but brackets": [many("[({", 50_000), "js-syntax"],
  "a text of a million brackets": [`${DEFINED}JSON.parse("[".repeat(1e6));`, SOME],
  "code of 100,000 brackets": [`${DEFINED}eval("(".repeat(1e5));`, SOME],
  "a pattern of a million brackets": [`${DEFINED}new RegExp("(".repeat(1e6));`, SOME],
  "a value of 100,000 lists in each other": [
    `var a = []; for (var i = 0; i < 1e5; i++) a = [a]; ${OPEN}a };`,
    KNOWN,
  ],
  // Size
  "more than 1 MB": [`${DEFINED}//${many("a", 1_100_000)}`, TOO_MUCH],
  "10 MB on one line": [`${OPEN}1, x: "${many("a", 1e7)}" };`, TOO_MUCH],
  "10 MB of properties": [`${OPEN}1, ${many('"abcdefgh": [1, { a: "b" }], ', 4e5)} };`, TOO_MUCH],
  "10 MB without an end": [`${OPEN}"${many("a", 1e7)}`, SOME],
  "a name of 900 kB": [`${OPEN}1, ${many("a", 900_000)}: 1 };`, SOME],
  "one quote": ['"', "js-syntax"],
  "30,000 functions that do nothing": [
    `${OPEN}1 };${many("(function(){var a=1})();", 30_000)}`,
    SOME,
  ],
  "zero bytes": ["\0\0\0\0\0\0", "js-syntax"],
  "a list that holds lists again and again": [
    `var a = [1]; for (var i = 0; i < 60; i++) a = [a, a]; ${OPEN}a };`,
    KNOWN,
  ],
  "a list of nothing, four billion times": [`${OPEN}Array(4294967295) };`, KNOWN],
  "a name that is put together": [
    'window.esriGeowConfig = { tokenExpiration: 30, ["x".repeat(1e6)]: 1 };',
    KNOWN,
  ],
  "10,000 names": [`${DEFINED}for (var i = 0; i < 1e4; i++) esriGeowConfig["k" + i] = i;`, SOME],
  "an object that holds itself": [`${DEFINED}esriGeowConfig.surveyUrl = esriGeowConfig;`, KNOWN],
  "prototype names": [
    `${OPEN}1, constructor: 1, toString: 2, hasOwnProperty: 3, "__proto__": null };`,
    SOME,
  ],
  // Time
  "an endless loop": [`while (true) {} ${DEFINED}`, TOO_MUCH],
  "a loop that catches what ends it": [
    `for (;;) { try { for (;;); } catch (e) {} finally { continue; } } ${DEFINED}`,
    TOO_MUCH,
  ],
  "an endless loop in some pages": [elsewhere("for (;;);"), SOME],
  "an expression that takes for ever": [
    `${OPEN}"${many("a", 100)}b".replace(/(a+)+c/, "") };`,
    TOO_MUCH,
  ],
  "a loop in a getter": [
    `window.esriGeowConfig = { tokenExpiration: 30, get surveyUrl() { for (;;); } };`,
    KNOWN,
  ],
  "a loop in a conversion": [`${DEFINED}location.hash + { toString: ${NEVER} };`, TOO_MUCH],
  "a loop in a promise": [`${DEFINED}Promise.resolve().then(${NEVER});`, TOO_MUCH],
  "a loop in a timer": [`${DEFINED}setTimeout(${NEVER}, 1);`, TOO_MUCH],
  "a loop when the page has loaded": [`${DEFINED}onload = ${NEVER};`, TOO_MUCH],
  "a loop while others are busy": [`${DEFINED}while (lib.isBusy()) {}`, TOO_MUCH],
  "promises without an end": [`${DEFINED}(function f() { Promise.resolve().then(f); })();`, KNOWN],
  "timers without an end": [`${DEFINED}(function f() { setTimeout(f, 0); })();`, KNOWN],
  "two timers for each": [
    `${DEFINED}(function f() { setTimeout(f, 0); setTimeout(f, 0); })();`,
    KNOWN,
  ],
  "an interval that counts": [
    `${DEFINED}setInterval(function () { esriGeowConfig.tokenExpiration++; }, 1);`,
    {},
  ],
  "a list that is never joined": [`${DEFINED}Array(1e9).join("x");`, TOO_MUCH],
  "a list that is never sorted": [`${DEFINED}var a = []; a.length = 4e9; a.sort();`, TOO_MUCH],
  "200 conditions of three parts": [
    DEFINED +
      lines(
        200,
        (at) =>
          `if (location.search === "?${at}" && document.cookie.indexOf("c${at}") > 0 && lib${at}.mode === "m${at}") esriGeowConfig.tokenExpiration = ${at};\n`,
      ),
    {},
  ],
  "a million questions": [`${DEFINED}for (var i = 0; i < 1e6; i++) lib["p" + i];`, TOO_MUCH],
  "a million scripts": [
    `${DEFINED}for (var i = 0; i < 1e6; i++) document.write("<script>x");`,
    TOO_MUCH,
  ],
  // Memory
  "objects without an end": [`var a = []; for (;;) a.push({ x: {} }); ${DEFINED}`, TOO_MUCH],
  "texts without an end": [
    `var s = "aaaaaaaa"; for (;;) s += s + Math.random(); ${DEFINED}`,
    TOO_MUCH,
  ],
  "buffers without an end": [
    `var a = []; for (;;) a.push(new ArrayBuffer(1e7)); ${DEFINED}`,
    TOO_MUCH,
  ],
  "objects without an end in some pages": [
    elsewhere("var a = []; for (;;) a.push({ x: {} });"),
    SOME,
  ],
  "buffers without an end in some pages": [
    elsewhere("var a = []; for (;;) a.push(new Uint8Array(1e7));"),
    SOME,
  ],
  "a text of a billion letters": [`${DEFINED}"x".repeat(1e9);`, TOO_MUCH],
  "a list of 400 million": [`${DEFINED}new Array(4e8).fill(0);`, TOO_MUCH],
  "functions without an end": [
    `${DEFINED}var a = []; for (;;) a.push(new Function("return 1"));`,
    TOO_MUCH,
  ],
  "numbers without an end": [`${DEFINED}for (var b = 2n; ; ) b = b * b;`, SOME],
  "a text that doubles": [`var a = "aaaaaaaaaa";${many("a = a + a;", 60)}${OPEN}a };`, TOO_MUCH],
  "a list that doubles": [`var a = [1, 2];${many("a = a.concat(a);", 60)}${OPEN}a };`, TOO_MUCH],
  "200 lists of one text": [
    `${DOUBLED}${lines(200, (at) => `var a${at} = a.split("");`)}${OPEN}1 };`,
    TOO_MUCH,
  ],
  "what takes too much is caught": [
    `${DEFINED}try { var a = []; for (;;) a.push({ x: {} }); } catch (e) {} a = null; esriGeowConfig.tokenExpiration = 60;`,
    TOO_MUCH,
  ],
  // Depth of calls, which a browser ends elsewhere
  "a function that calls itself": [`${DEFINED}(function f() { f(); })();`, SOME],
  "a function that calls itself 5,000 times": [
    `${DEFINED}(function f(n) { if (n > 0) f(n - 1); })(5000); esriGeowConfig.tokenExpiration = 60;`,
    SOME,
  ],
  "the same, caught": [
    `${DEFINED}try { (function f(n) { if (n > 0) f(n - 1); })(5000); } catch { esriGeowConfig.tokenExpiration = 60; }`,
    SOME,
  ],
  "a getter that reads itself": [`${DEFINED}var o = { get a() { return this.a; } }; o.a;`, SOME],
  "a class of 100,000 classes": [
    `${DEFINED}class A {} var c = A; for (var i = 0; i < 1e5; i++) c = class extends c {}; new c();`,
    SOME,
  ],
  // Objects that answer as they like
  "a proxy": ["window.esriGeowConfig = new Proxy({ tokenExpiration: 30 }, {});", KNOWN],
  "a proxy that never answers": [
    `var t = ${NEVER}; window.esriGeowConfig = new Proxy({}, { ${TRAPS} });`,
    TOO_MUCH,
  ],
  "a proxy that throws proxies": [
    `var t = function () { throw new Proxy({}, { get: t }); }; window.esriGeowConfig = new Proxy({}, { ${TRAPS} });`,
    SOME,
  ],
  "a proxy that lies": [
    "window.esriGeowConfig = new Proxy({ tokenExpiration: 30 }, { getOwnPropertyDescriptor: function () { return { value: 1, configurable: true }; } });",
    SOME,
  ],
  "a proxy that is revoked": [
    "var r = Proxy.revocable({}, {}); r.revoke(); window.esriGeowConfig = r.proxy;",
    SOME,
  ],
  "a proxy for a list": [
    `${OPEN}new Proxy([], { get: function (t, k) { return k === "length" ? 1e9 : 1; } }) };`,
    KNOWN,
  ],
  "a proxy behind the window": [
    `${DEFINED}Object.setPrototypeOf(window, new Proxy({}, { get: ${NEVER}, has: function () { return true; } }));`,
    SOME,
  ],
  "an error that never tells": [
    `${DEFINED}throw Object.defineProperty(new Error(), "message", { get: ${NEVER} });`,
    KNOWN,
  ],
  "a proxy for an error": [`${DEFINED}throw new Proxy(new Error("x"), { get: ${NEVER} });`, KNOWN],
};

interface Told {
  readonly diagnostics: readonly { code: string; message: string; help: string }[];
  readonly properties: readonly { name: string; outcome: string; value?: Json }[];
}

const MOST_MIB = 200;

/** Nothing where all is well. */
export async function faultsOf(name: string): Promise<string[]> {
  const [text, expected] = HOSTILE[name] ?? ["", SOME];
  const folder = folderOf();
  const peak = join(folder.path, "peak.txt");
  try {
    const { exit, stdout, stderr } = await runProgram(
      process.execPath,
      ["--require", join(PROJECT, "test/support/peak.cjs"), BIN, "migrate", "-", ...WORDS],
      { cwd: folder.path, env: { LINTEL_TEST_PEAK: peak }, stdin: text },
    );
    const peakMiB = existsSync(peak) ? Number(readFileSync(peak, "utf8")) : Number.NaN;
    rmSync(peak, { force: true });
    const left = readdirSync(folder.path);
    const faults: readonly (readonly [isFault: boolean, what: string])[] = [
      [stderr !== "", `printed ${stderr}`],
      [exit !== 0 && exit !== 3, `ended with ${exit}`],
      [!(peakMiB < MOST_MIB), `took ${peakMiB} MiB`],
      [left.length > 0, `left ${left.join(" ")}`],
    ];
    const other = faults.flatMap(([isFault, what]) => (isFault ? [what] : []));
    return [...other, ...faultsIn(JSON.parse(stdout) as Told, exit, expected)];
  } finally {
    folder.remove();
  }
}

const WORDS = ["--target", "11.5", "--all", "--output", "json"];

function faultsIn(told: Told, exit: number | null, expected: Expected): string[] {
  const { diagnostics, properties } = told;
  const told500 = JSON.stringify(told).slice(0, 500);
  const isTold = ({ code, message, help }: Told["diagnostics"][number]) =>
    /^[a-z]+(?:-[a-z]+)*$/.test(code) &&
    !/\n\s+at |\[object|is not a function/.test(message) &&
    message.length < 1_000 &&
    help !== "";
  const known = properties.filter(({ outcome }) => outcome === "migrated");
  const values = Object.fromEntries(known.map(({ name, value }) => [name, value]));
  const isCode = typeof expected === "string";
  const isExpected =
    expected === SOME ||
    (isCode
      ? exit === 3 && properties.length === 0 && diagnostics.some(({ code }) => code === expected)
      : isDeepStrictEqual(values, expected));
  return [
    ...(diagnostics.length + properties.length > 0 ? [] : ["told nothing"]),
    ...(diagnostics.every(isTold) ? [] : [`told badly: ${told500}`]),
    ...(isExpected ? [] : [`told otherwise: ${told500}`]),
  ];
}

export interface HostileFigures {
  readonly files: number;
  readonly faults: readonly string[];
  /** The three that took longest, in seconds. */
  readonly longest: readonly (readonly [name: string, seconds: number])[];
}

/** One after another, so that each has the machine for itself. */
export async function readHostile(): Promise<HostileFigures> {
  const faults: string[] = [];
  const took: [name: string, seconds: number][] = [];
  for (const name of Object.keys(HOSTILE)) {
    const startedMs = performance.now();
    for (const each of await faultsOf(name)) faults.push(`${name}: ${each}`);
    took.push([name, Math.round((performance.now() - startedMs) / 100) / 10]);
  }
  const longest = took.toSorted(([, one], [, other]) => other - one).slice(0, 3);
  return { files: took.length, faults, longest };
}

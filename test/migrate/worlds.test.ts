// Small programs with a condition each, which some world meets and some does not.
import { expect, test } from "vitest";
import { evaluate, worldsOf } from "./worlds.js";

const CONDITIONS = [
  'location.search === "?debug"',
  "/[?&]env=dev/.test(location.search)",
  'location.hash === "#beta"',
  "location.hash.slice(1) in { debug: 1 }",
  'document.cookie.indexOf("mode=full") >= 0',
  'navigator.language === "de"',
  "/iPhone/.test(navigator.userAgent)",
  'localStorage.getItem("app") === "viewer"',
  'location.pathname.indexOf("/viewer") > 0',
  'location.hostname === "localhost"',
  "screen.width < 800",
  "Math.random() < 0.5",
  "new Date().getFullYear() > 2024",
  "new Date().getMonth() > 5",
  "new Date().getDay() === 0",
  'lib.mode === "a"',
  "compute() > 5",
  'typeof analytics !== "undefined"',
  '"legacy" in window',
  'window.siteSettings && siteSettings.mode === "dev"',
  "eval(\"location.hash === '#beta'\")",
];

test.each(CONDITIONS)("%s", (condition) => {
  const text = `window.esriGeowConfig = { tokenExpiration: 30 };\nif (${condition}) esriGeowConfig.tokenExpiration = 60;`;
  const seen = evaluate(text, worldsOf(text)) ?? [];
  expect(new Set(seen.map(({ atEnd }) => atEnd["tokenExpiration"]))).toEqual(new Set([30, 60]));
});

test("distinguishes what is set after the script has ended, even after an error", () => {
  const text =
    "window.esriGeowConfig = { tokenExpiration: 30 };\n" +
    "Promise.resolve().then(function () { esriGeowConfig.tokenExpiration = 45; });\n" +
    "setTimeout('esriGeowConfig.surveyUrl = \"x\"', 0);\n" +
    "onload = function () { esriGeowConfig.footerLinks = []; };\n" +
    "missing();";
  for (const { atEnd, afterwards, error } of evaluate(text, worldsOf(text)) ?? []) {
    expect(atEnd).toEqual({ tokenExpiration: 30 });
    expect(afterwards).toEqual({ tokenExpiration: 45, surveyUrl: "x", footerLinks: [] });
    expect(error).toBe("ReferenceError: missing is not defined");
  }
  expect.assertions(36);
});

test("a configuration that is used before it is defined is another file's at first", () => {
  const text =
    "var had = esriGeowConfig !== undefined;\nwindow.esriGeowConfig = { tokenExpiration: had ? 30 : 60 };";
  const seen = evaluate(text, worldsOf(text)) ?? [];
  expect(seen.map(({ atEnd }) => atEnd["tokenExpiration"])).toEqual(Array(12).fill(30));
});

test("what does not end has no worlds", () => {
  const text = "window.esriGeowConfig = {}; Promise.resolve().then(function () { for (;;); });";
  expect(evaluate(text, worldsOf(text))).toBeUndefined();
});

test("reports what is not JSON", () => {
  const text =
    "window.esriGeowConfig = { a: NaN, b: new Date(0), c: [, 1], d: function () {}, e: new String('x'), get f() { return 1; }, toJSON: function () { return 1; } };";
  const [plain] = evaluate(text, worldsOf(text)) ?? [];
  expect(plain?.atEnd).toEqual({
    a: { "not JSON": "NaN" },
    b: { "not JSON": "Date" },
    c: [null, 1],
    e: "x",
    f: { "not JSON": "getter" },
  });
});

// What is migrated of scripts that differ between pages, and the cause that is reported where a value is not known.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import { readPortalAddress } from "../../src/migrate/location.js";
import { migrate } from "../../src/migrate/migrate.js";
import { PROJECT } from "../support/run.js";

const STOCK = readFileSync(join(PROJECT, "test/migrate/files/00b-stock-10.4.js"), "utf8");
const PLAIN = "window.esriGeowConfig = { tokenExpiration: 33 };\n";

const engine = openEngine();
afterAll(() => engine.close());

async function settingsOf(text: string, url = "") {
  const files = [{ file: "config.js", bytes: Buffer.from(text) }];
  const portal = readPortalAddress(url);
  const options = { target: "12.1", takesAll: true, portal, engine } as const;
  const { properties } = await migrate(files, options);
  return Object.fromEntries(
    properties
      .filter(({ counterpart }) => counterpart)
      .map(({ name, value, cause, remarks }) => [
        name,
        cause ? `${cause.why}, line ${lineOf(text, cause.at.start)}` : value,
        ...remarks.map(({ code }) => code),
      ])
      .map(([name, ...rest]) => [name, rest.length > 1 ? rest : rest[0]]),
  );
}

const lineOf = (text: string, at: number) => text.slice(0, at).split("\n").length;

test.each([
  [
    "the value over https where the protocol decides",
    'window.esriGeowConfig = { tokenExpiration: location.protocol === "https:" ? 240 : 60 };',
    { tokenExpiration: [240, "address-scheme"] },
  ],
  [
    "the same through a variable",
    'var isSafe = location.protocol === "https:";\nwindow.esriGeowConfig = { tokenExpiration: isSafe ? 240 : 60 };',
    { tokenExpiration: [240, "address-scheme"] },
  ],
  [
    "what typeof says of another script's name",
    'window.esriGeowConfig = { surveyUrl: "https://a.example.com/" + typeof process };',
    { surveyUrl: "process, line 1" },
  ],
  [
    "a condition on the host",
    'var isTest = location.hostname.indexOf("test") === 0;\nwindow.esriGeowConfig = { tokenExpiration: 60 };\nif (isTest)\n  esriGeowConfig.tokenExpiration = 5;',
    { tokenExpiration: "location.host, line 1" },
  ],
  [
    "a condition on a cookie",
    `${PLAIN}if (/x=1/.test(document.cookie))\n  esriGeowConfig.tokenExpiration = 5;`,
    { tokenExpiration: "unmet, line 2" },
  ],
  [
    "the browser's language",
    'window.esriGeowConfig = {\n  surveyUrl: "https://a.example.com/" + navigator.language,\n};',
    { surveyUrl: "navigator.language, line 2" },
  ],
  [
    "the time",
    `${PLAIN}esriGeowConfig.longTokenExpiration =\n  new Date().getFullYear();`,
    { tokenExpiration: 33, longTokenExpiration: "time, line 3" },
  ],
  [
    "what the browser has stored",
    `${PLAIN}esriGeowConfig.surveyUrl =\n  localStorage.getItem("survey") || "https://a.example.com";`,
    { tokenExpiration: 33, surveyUrl: "localStorage.getItem(), line 3" },
  ],
  [
    "a timer",
    `${PLAIN}setTimeout(function () {\n  esriGeowConfig.surveyUrl = "https://a.example.com";\n}, 9);`,
    { tokenExpiration: 33, surveyUrl: "later, line 3" },
  ],
  [
    "another script's callback, with a computed key",
    `${PLAIN}dojo.ready(function () {\n  esriGeowConfig["long" + "TokenExpiration"] = 5;\n});`,
    { tokenExpiration: 33, longTokenExpiration: "later, line 1" },
  ],
  [
    "a catch clause",
    `${PLAIN}try {\n  JSON.parse(document.cookie);\n} catch (e) {\n  esriGeowConfig.surveyUrl = "https://a.example.com";\n}`,
    { tokenExpiration: 33, surveyUrl: "document.cookie, line 3" },
  ],
  [
    "a function that is never called",
    `${PLAIN}function later() {\n  esriGeowConfig.longTokenExpiration = 5;\n}`,
    { tokenExpiration: 33, longTokenExpiration: "called, line 2" },
  ],
  [
    "a function that is never called, of a configuration with two names",
    "var cfg = (window.esriGeowConfig = { tokenExpiration: 33 });\nfunction later() {\n  cfg.longTokenExpiration = 5;\n}",
    { tokenExpiration: 33, longTokenExpiration: "called, line 2" },
  ],
  [
    "a with statement",
    `${PLAIN}with (esriGeowConfig) {\n  longTokenExpiration = 5;\n}`,
    { tokenExpiration: "with, line 2", longTokenExpiration: "with, line 2" },
  ],
  [
    "a way that fails once it is forced",
    `${PLAIN}if (location.search === "?x") {\n  document.getElementById("x").y.z = 1;\n  missing.name.length = 1;\n  esriGeowConfig.tokenExpiration = 5;\n}`,
    { tokenExpiration: "unmet, line 2" },
  ],
])("%s", async (_, text, expected) => {
  expect(await settingsOf(text)).toEqual(expected);
});

// Each is set to 25 on the plain page, and to another value on some page.
test.each([
  "try { esriGeowConfig.tokenExpiration = window.top.company.minutes; } catch (e) { esriGeowConfig.tokenExpiration = 25; }",
  "try { esriGeowConfig.tokenExpiration = window.opener.company.minutes; } catch (e) { esriGeowConfig.tokenExpiration = 25; }",
  'try { eval("esriGeowConfig.tokenExpiration = company.minutes"); } catch (e) { esriGeowConfig.tokenExpiration = 25; }',
  'esriGeowConfig.tokenExpiration = 25; for (var k in window) if (k === "company") esriGeowConfig.tokenExpiration = 26;',
  'esriGeowConfig.tokenExpiration = 25; fetch("/x.json").then(function (all) { return all.json(); }).then(function (all) { esriGeowConfig.tokenExpiration = all.minutes; });',
  '"use strict"; location.hash === "#a" && Object.freeze(esriGeowConfig); esriGeowConfig.tokenExpiration = 25;',
])("is not known: %s", async (text) => {
  const { tokenExpiration } = await settingsOf(`${PLAIN}${text}`);
  expect(tokenExpiration).toMatch(/, line \d+$/);
});

test("a request to a server ends no script", async () => {
  const text = `${PLAIN}fetch("/x.json").then(function () {});\nesriGeowConfig.longTokenExpiration = 5;`;
  expect(await settingsOf(text)).toEqual({ tokenExpiration: 33, longTokenExpiration: 5 });
});

// What administrators write: each is 60 on the plain page, and 5 on some page.
test.each([
  'document.cookie.split("; ").forEach(function (c) { if (c === "beta=1") cfg.tokenExpiration = 5; });',
  'function f(c) { if (c === "beta=1") cfg.tokenExpiration = 5; } document.cookie.split("; ").forEach(f);',
  'var parts = []; parts.push(location.hostname); if (parts.join() === "test.example.org") cfg.tokenExpiration = 5;',
  'var env = { host: location.hostname }; for (var k in env) if (env[k] === "test.example.org") cfg.tokenExpiration = 5;',
  'var all = [{ h: "a.example.org", t: 60 }, { h: "b.example.org", t: 5 }, { h: "c.example.org", t: 60 }], env = all[0]; for (var i = 0; i < all.length; i++) if (all[i].h === location.hostname) { env = all[i]; break; } cfg.tokenExpiration = env.t;',
  "(function () { var overrides = window.overrides || {}; if (overrides.ttl) cfg.tokenExpiration = overrides.ttl; })();",
  "var site = site || { ttl: 60 }; cfg.tokenExpiration = site.ttl;",
  "cfg.tokenExpiration = dojo.mixin({ ttl: 60 }, dojo.queryToObject(location.search.slice(1))).ttl;",
  "cfg.tokenExpiration = $.extend({ ttl: 60 }, window.portalOverrides).ttl;",
  'var o = {}; location.search.slice(1).split("&").forEach(function (p) { var kv = p.split("="); o[kv[0]] = kv[1]; }); var { ttl = 60 } = o; cfg.tokenExpiration = ttl;',
  "for (const [, v] of document.cookie.matchAll(/ttl=(\\d+)/g)) cfg.tokenExpiration = +v;",
  'Object.assign(cfg, new Map([["test.example.org", { tokenExpiration: 5 }]]).get(location.hostname));',
  "function set(v) { cfg.tokenExpiration = v; } set(60); window.adminMode = function () { set(5); };",
  "if (/^http:|\\/\\/test\\./.test(location.href)) cfg.tokenExpiration = 5;",
  "cfg.tokenExpiration = 60 + new Date().getSeconds();",
  'cfg.tokenExpiration = location.hostname.split(".").length * 20;',
  "cfg.tokenExpiration = 60 - 55 * /test/.test(location.hostname);",
  'var u = {}; location.search.slice(1).split("&").forEach(function (p) { var kv = p.split("="); u[kv[0]] = kv[1]; }); Object.keys(u).forEach(function (k) { if (k in cfg) cfg[k] = u[k]; });',
  'if (location.hash === "#a") location.search.slice(1).split("&").forEach(function (p) { var kv = p.split("="); if (cfg.hasOwnProperty(kv[0])) cfg[kv[0]] = kv[1]; });',
  'location.search.slice(1).split("&").forEach(function (p) { var kv = p.split("="); if (kv[0] in cfg) cfg.tokenExpiration = Math.max(60, kv[1] | 0); });',
  "function override(k) { cfg[k] = 5; }",
  '(function () { cfg.tokenExpiration = 5; switch (location.hostname) { case "test.example.org": return; } cfg.tokenExpiration = 60; })();',
  'function ttl() { switch (location.hostname) { case "test.example.org": return 5; } return 60; } cfg.tokenExpiration = ttl();',
])("is not known: %s", async (text) => {
  const defined = "var cfg = (window.esriGeowConfig = { tokenExpiration: 60 });";
  const { tokenExpiration } = await settingsOf(`${defined}\n${text}`);
  expect(tokenExpiration).toMatch(/, line \d+$/);
});

test("a cause shows no text of the script", async () => {
  const text = `${PLAIN}esriGeowConfig.surveyUrl = geo["SECRET123"];\nrequire(["https://x.example.org/site.js?key=SECRET123"], function (m) { esriGeowConfig.longTokenExpiration = m.ttl; });`;
  const files = [{ file: "config.js", bytes: Buffer.from(text) }];
  const { properties } = await migrate(files, { target: "12.1", takesAll: true, engine });
  const shown = properties.map(({ message, help, cause }) => [
    message,
    help,
    cause?.why,
    cause?.values,
  ]);
  expect(shown).not.toEqual([]);
  expect(JSON.stringify(shown)).not.toContain("SECRET123");
});

const QUERY = "var m = /[?&]admin=([^&]*)/.exec(location.search);";

// The plain page has no such parameter, so the branch that reads it fails when it is forced.
test.each([
  [`${QUERY} esriGeowConfig.tokenExpiration = m ? m[1].length : 33;`, ["tokenExpiration"]],
  [
    `${QUERY} var x = m ? m[1].length : 33; esriGeowConfig.tokenExpiration = x;`,
    ["tokenExpiration"],
  ],
  [
    `${QUERY} var x = 33; if (m) x = m[1].length; esriGeowConfig.tokenExpiration = x;`,
    ["tokenExpiration"],
  ],
  [
    `${QUERY} var t = { a: m ? m[1].length : 33 }; esriGeowConfig.tokenExpiration = t.a;`,
    ["tokenExpiration"],
  ],
  [
    `${QUERY} var k = m ? m[1].trim() : "y"; esriGeowConfig[k] = 5;`,
    ["surveyUrl", "tokenExpiration"],
  ],
  [
    `function q(name) { ${QUERY} return m ? decodeURIComponent(m[1]) : ""; } esriGeowConfig[q("admin")] = 5;`,
    ["surveyUrl", "tokenExpiration"],
  ],
  [
    `var q = (name) => { ${QUERY} if (m) { return m[1].trim(); } return ""; }; esriGeowConfig[q("admin")] = 5;`,
    ["surveyUrl", "tokenExpiration"],
  ],
])(
  "what a branch would do that fails once it is forced is not known: %s",
  async (text, unknown) => {
    const defined =
      'window.esriGeowConfig = { surveyUrl: "https://a.example.com", tokenExpiration: 33 };';
    const settings = await settingsOf(`${defined}\n${text}`);
    const open = Object.keys(settings).filter((name) => String(settings[name]).startsWith("unmet"));
    expect(open.toSorted()).toEqual(unknown);
  },
);

test("what is appended to a stock file counts", async () => {
  const appended = `${STOCK}\nesriGeowConfig.tokenExpiration = 77;\nwindow.esriGeowConfig.surveyUrl = "https://survey.example.com";\n`;
  expect(await settingsOf(appended)).toMatchObject({
    tokenExpiration: 77,
    surveyUrl: "https://survey.example.com",
  });
});

test("the portal's address decides what its host does, and not what its pages do", async () => {
  const text = `${PLAIN}if (location.host === "gis.example.com") esriGeowConfig.tokenExpiration = 5;\nif (location.hash === "#x") esriGeowConfig.longTokenExpiration = 5;`;
  expect(await settingsOf(text, "https://gis.example.com/portal")).toEqual({
    tokenExpiration: 5,
    longTokenExpiration: "unmet, line 3",
  });
});

test("no hook is visible to a script", async () => {
  const text = `var seen = [];
    var spy = new Proxy({}, { has: function (target, key) { seen.push(String(key)); return false; } });
    with (spy) { if (location.hash === "#x") var x = 1; }
    function own() { if (location.hash === "#x") return 1; }
    seen.push(own.toString());
    seen.push(String(Object.getOwnPropertyNames(window).join(" ").match(/(?:^| )_[0-9a-f]+/)));
    window.esriGeowConfig = { surveyUrl: seen.join() };`;
  const files = [{ file: "config.js", bytes: Buffer.from(text) }];
  const { evaluation } = await migrate(files, { target: "12.1", takesAll: true, engine });
  const own = 'function own() { if (location.hash === "#x") return 1; }';
  expect(evaluation?.look.values["surveyUrl"]).toEqual({
    json: JSON.stringify(`location,${own},null`),
  });
});

// Files whose configuration is not where portals look for it → what is said of that: plainly, and once.
import { afterAll, expect, test } from "vitest";
import { diagnoseFiles } from "../../src/migrate/diagnose.js";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import { migrate } from "../../src/migrate/migrate.js";

const engine = openEngine();
afterAll(() => engine.close());

const LITERAL =
  '{ tokenExpiration: 30, surveyUrl: "https://a.example", bingMapsKey: "SECRET",\nfooterLinks: [] }';
const CALLED = (name: string) =>
  `other-name: The configuration is called "${name}" here, and not "esriGeowConfig" of the page.`;
const NOTHING = 'nothing is assigned to "esriGeowConfig".';
const VARIABLE = (name: string, line: number) =>
  `no-configuration:${line}: The configuration is in the variable "${name}", where no portal finds it: ${NOTHING}`;
const COMMENT = (line: number) =>
  `no-configuration:${line}: The configuration is in a comment, where nothing reads it: ${NOTHING}`;
const NONE = `no-configuration: "config.js" holds no configuration: ${NOTHING}`;
const MODULE =
  'other-name: The configuration is what a module gives back here, and not "esriGeowConfig" of the page.';

const HOLDS = (line = 1) => `no-configuration:${line}: "esriGeowConfig" holds no property here.`;
const LOCAL =
  'no-configuration:1: The configuration is in a variable "esriGeowConfig" of a function or a block, where no portal finds it.';
const NEVER =
  "no-configuration:1: The configuration is assigned here, and in a plain page the script does not get to it.";
const USES =
  'no-configuration: "config.js" sets no property, and only uses a configuration that another file makes.';

test.each<[string, string[]]>([
  [`window.esriGeowConfig = ${LITERAL};`, []],
  [`var esriGeowConfig = ${LITERAL};`, []],
  // Under another name.
  [`window.esriGeowConfig2 = ${LITERAL};`, [CALLED("esriGeowConfig2")]],
  [`var ours = ${LITERAL};`, [CALLED("ours")]],
  // In a module, with and without a return value.
  [`define(${LITERAL});`, [MODULE]],
  [`define([], function () { return ${LITERAL}; });`, [MODULE]],
  [`define([], function () {\nvar config = ${LITERAL};\nreturn config; });`, [MODULE]],
  [`define([], function () {\nvar config = ${LITERAL}; });`, [VARIABLE("config", 2)]],
  [`define([], function () { window.esriGeowConfig = ${LITERAL}; });`, []],
  // In a variable that only its own script sees.
  [`(function () {\nvar config = ${LITERAL};\n}());`, [VARIABLE("config", 2)]],
  [`(function () {\nvar config;\nconfig = ${LITERAL};\n}());`, [VARIABLE("config", 3)]],
  [`(function () { var one = { tokenExpiration: 30, a: 1, b: 2 }; }());`, [NONE]],
  // Only in comments.
  [`// window.esriGeowConfig = ${LITERAL.replace("\n", "")};`, [COMMENT(1)]],
  [`var a = 1;\n/* window.esriGeowConfig = ${LITERAL}; */`, [COMMENT(2)]],
  ["var a = 1;\n// tokenExpiration: 30,\n// surveyUrl: 1,\n// footerLinks: []", [COMMENT(2)]],
  ["// It had tokenExpiration: 30 once.\nvar a = 1;", [NONE]],
  ["var a = 1;", [NONE]],
  // Under the usual name, and nothing that holds a property.
  ["window.esriGeowConfig = null;", [HOLDS()]],
  ["var a = 1;\nvar esriGeowConfig = `SECRET`;", [HOLDS(2)]],
  ["window.esriGeowConfig = 5;", [HOLDS()]],
  ["window.esriGeowConfig = [];", [HOLDS()]],
  ["window.esriGeowConfig = {};", [HOLDS()]],
  [`window.esriGeowConfig = function () { return ${LITERAL}; };`, [HOLDS()]],
  [`window.esriGeowConfig = ${LITERAL};\nesriGeowConfig = undefined;`, [HOLDS(3)]],
  ["(function () { let esriGeowConfig = { tokenExpiration: 30 }; }());", [LOCAL]],
  ["{ const esriGeowConfig = { tokenExpiration: 30 }; }", [LOCAL]],
  [`function never() { window.esriGeowConfig = ${LITERAL}; }`, [NEVER]],
  [`if (location.search === "?a") window.esriGeowConfig = ${LITERAL};`, [NEVER]],
  [
    "window.esriGeowConfig = lib.make();",
    [
      'no-configuration:1: Nothing of the configuration can be known: it depends on "lib.make()", which is defined elsewhere.',
    ],
  ],
  // Of another file.
  ["dojo.mixin(esriGeowConfig, {});", [USES]],
  ["var a = esriGeowConfig.footerLinks.length;", [USES]],
])("%s", async (text, told) => {
  const files = [{ file: "config.js", bytes: Buffer.from(text) }];
  const about = diagnoseFiles(await migrate(files, { target: "11.5", takesAll: false, engine }));
  const found = about.map(
    ({ code, place, message }) => `${code}${place ? `:${place.line}` : ""}: ${message}`,
  );
  expect(found).toEqual(told);
  expect(JSON.stringify(about)).not.toContain("SECRET");
});

test.each([
  `window.esriGeowConfig2 = ${LITERAL};`,
  `var ours = ${LITERAL};`,
  `define(${LITERAL});`,
  `define([], function () { return ${LITERAL}; });`,
])("the values of a configuration elsewhere are read: %s", async (text) => {
  const files = [{ file: "config.js", bytes: Buffer.from(text) }];
  const { properties } = await migrate(files, { target: "11.5", takesAll: true, engine });
  const known = properties.filter(({ value }) => value !== undefined);
  expect(known.map(({ name, value }) => [name, value])).toEqual([
    ["tokenExpiration", 30],
    ["surveyUrl", "https://a.example"],
    ["footerLinks", []],
  ]);
});

test.each([
  ["esriGeowConfig.footerLinks.push({});", ["footerLinks"]],
  ["window.esriGeowConfig.httpsDomains[0] = 'a.example';", ["httpsDomains"]],
  [
    "esriGeowConfig.tokenExpiration = 5;\nesriGeowConfig.footerLinks[0].title = 'a';\nesriGeowConfig.httpsDomains.splice(0);",
    ["footerLinks", "httpsDomains"],
  ],
  ["esriGeowConfig.tokenExpiration = 5;\nvar all = esriGeowConfig.footerLinks.concat([]);", []],
  ["window.esriGeowConfig = { footerLinks: [] };\nesriGeowConfig.footerLinks.push({});", []],
])("what another file makes is not known where it is changed in place: %s", async (text, names) => {
  const files = [{ file: "config.js", bytes: Buffer.from(text) }];
  const { properties } = await migrate(files, { target: "11.5", takesAll: true, engine });
  const open = properties.filter(({ outcome }) => outcome === "not-understood");
  expect(open.map(({ name }) => name)).toEqual(names);
  for (const { message, help } of open) {
    expect(message).toMatch(/ depends on "esriGeowConfig\.\w+", which another file sets\.$/);
    expect(help).toContain("lintel migrate config.js overrides.js");
  }
});

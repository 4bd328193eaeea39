// Files whose configuration is not where portals look for it.
import { afterAll, expect, test } from "vitest";
import { diagnoseFiles } from "../../src/migrate/diagnose.js";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import { migrate } from "../../src/migrate/migrate.js";

const engine = openEngine();
afterAll(() => engine.close());

const LITERAL =
  '{ tokenExpiration: 30, surveyUrl: "https://a.example", bingMapsKey: "SECRET",\nfooterLinks: [] }';
const CALLED = (name: string) =>
  `other-name: The configuration is called "${name}", not "esriGeowConfig".`;
const MODULE = 'other-name: The configuration is returned by a module, not "esriGeowConfig".';
const NONE = 'no-configuration: Nothing is assigned to "esriGeowConfig".';
const OBJECT = (line: number) =>
  `no-configuration:${line}: These settings are not assigned to "esriGeowConfig".`;
const COMMENT = (line: number) => `no-configuration:${line}: The configuration is in a comment.`;
const EMPTY = (line = 1) =>
  `no-configuration:${line}: The script assigns "esriGeowConfig" here, but a page gets no property from it.`;
const USES =
  "no-configuration: No property is set: the script only uses a configuration that another file makes.";

test.each<[string, string[]]>([
  [`window.esriGeowConfig = ${LITERAL};`, []],
  [`var esriGeowConfig = ${LITERAL};`, []],
  // Under another name.
  [`window.esriGeowConfig2 = ${LITERAL};`, [CALLED("esriGeowConfig2")]],
  [`var ours = ${LITERAL};`, [CALLED("ours")]],
  // In a module.
  [`define(${LITERAL});`, [MODULE]],
  [`define([], function () { return ${LITERAL}; });`, [MODULE]],
  [`define([], function () {\nvar config = ${LITERAL}; });`, [OBJECT(2)]],
  [`define([], function () { window.esriGeowConfig = ${LITERAL}; });`, []],
  // In a variable of a function.
  [`(function () {\nvar config;\nconfig = ${LITERAL};\n}());`, [OBJECT(3)]],
  ["(function () { var one = { tokenExpiration: 30, a: 1, b: 2 }; }());", [NONE]],
  // In a comment.
  [`var a = 1;\n/* window.esriGeowConfig = ${LITERAL}; */`, [COMMENT(2)]],
  ["// It had tokenExpiration: 30 once.\nvar a = 1;", [NONE]],
  // Under the usual name, without a property.
  ["var a = 1;\nvar esriGeowConfig = `SECRET`;", [EMPTY(2)]],
  ["window.esriGeowConfig = {};", [EMPTY()]],
  [`window.esriGeowConfig = ${LITERAL};\nesriGeowConfig = undefined;`, [EMPTY(3)]],
  ["{ const esriGeowConfig = { tokenExpiration: 30 }; }", [EMPTY()]],
  [`function never() { window.esriGeowConfig = ${LITERAL}; }`, [EMPTY()]],
  [
    "window.esriGeowConfig = lib.make();",
    [
      'no-configuration:1: No value of the configuration is known: it depends on "lib.make()", which is defined elsewhere.',
    ],
  ],
  // Of another file.
  ["dojo.mixin(esriGeowConfig, {});", [USES]],
  ["var a = esriGeowConfig.footerLinks.length;", [USES]],
])("%s", async (text, expected) => {
  const files = [{ file: "config.js", bytes: Buffer.from(text) }];
  const about = diagnoseFiles(await migrate(files, { target: "11.5", takesAll: false, engine }));
  const found = about.map(
    ({ code, place, message }) => `${code}${place ? `:${place.line}` : ""}: ${message}`,
  );
  expect(found).toEqual(expected);
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

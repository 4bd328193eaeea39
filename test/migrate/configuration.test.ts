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
])("%s", async (text, told) => {
  const files = [{ file: "config.js", bytes: Buffer.from(text) }];
  const about = diagnoseFiles(await migrate(files, { target: "11.5", takesAll: false, engine }));
  const found = about.map(
    ({ code, place, message }) => `${code}${place ? `:${place.line}` : ""}: ${message}`,
  );
  expect(found).toEqual(told);
  expect(JSON.stringify(about)).not.toContain("SECRET");
});

// Lines of old files: what their excerpts show.
import { afterAll, describe, expect, test } from "vitest";
import { diagnoseFiles, diagnoseProperties } from "../../src/migrate/diagnose.js";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import { migrate } from "../../src/migrate/migrate.js";
import { masked } from "../../src/migrate/script.js";

const engine = openEngine();
afterAll(() => engine.close());

async function diagnose(text: string) {
  const files = [{ file: "config.js", bytes: Buffer.from(text) }];
  const migration = await migrate(files, { target: "11.5", takesAll: false, engine });
  return [
    ...diagnoseFiles(migration),
    ...[...diagnoseProperties(migration.properties).values()].flat(),
  ];
}

describe("a line shows known words and punctuation alone", () => {
  test.each([
    ['  bingMapsKey: SECRET2abcdef",', '  ***********: *************",'],
    ["  tokenExpiration: 30 SECRET,", "  tokenExpiration: ** ******,"],
    [
      "  surveyUrl: https://user:SECRET@a.example.org,",
      "  surveyUrl: *****://****:********.*******.***,",
    ],
    ['  key: "AB+cd/ef==",', '  ***: "**+**/**==",'],
    ["window.esriGeowConfig = {", "window.esriGeowConfig = {"],
    ["webAppBuilderEnabled: !true, a=1", "webAppBuilderEnabled: !true, *=*"],
    ["<<<<<<< mine", "<<<<<<< ****"],
    ["if (screen.width > 1000 && !isProd) x = -5;", "if (screen.width > **** && !******) * = -*;"],
    ['password = "p@ss!w0rd$x€";', '******** = "****!*******";'],
    ["surveyUrl: \u201chttps\u201d", "surveyUrl: \u201c*****\u201d"],
  ])("%s", (line, shown) => {
    expect(masked(line)).toBe(shown);
  });
});

describe("a setting shows its value too, but nothing that may belong to another name", () => {
  test.each([
    ['surveyUrl: f() + "//a.example"', 'surveyUrl: f() + "//a.example"'],
    ['surveyUrl: a === "SECRET" ? "b" : lib.c', 'surveyUrl: * === "******" ? "b" : lib.c'],
    ["surveyUrl: `${lib.a}/SECRETLESS`", "surveyUrl: `${lib.a}/SECRETLESS`"],
    ['httpsDomains: ["a", lib.b, {k: "SECRET"}]', 'httpsDomains: ["a", lib.b, {*: "******"}]'],
    ['surveyUrl: lib.a({url: "SECRET"})', 'surveyUrl: lib.a({url: "******"})'],
    [
      "tokenExpiration: lib.f(SECRET, /SECRET/g, `SECRET`)",
      "tokenExpiration: lib.f(******, /******/*, `******`)",
    ],
    [
      'tokenExpiration: lib.a + (lib.bingMapsKey = "SECRET")',
      'tokenExpiration: lib.a + (***.*********** = "******")',
    ],
    ["surveyUrl: lib.a /* SECRET */ // SECRET", "surveyUrl: lib.a /* ****** */ // ******"],
  ])("%s", async (line, shown) => {
    const all = await diagnose(`window.esriGeowConfig = {\n${line}\n};`);
    expect(all[0]?.place?.excerpt.text).toBe(shown);
  });
});

test("10,000 properties on one line have one diagnostic", async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => `p${at}: "SECRET"`).join(", ");
  const all = await diagnose(`window.esriGeowConfig = { ${many}, tokenExpiration: f() };`);
  expect(all).toHaveLength(1);
  expect(JSON.stringify(all)).not.toContain("SECRET");
});

// The outcome of values of another type, and of names that are not settings.
import { afterAll, describe, expect, test } from "vitest";
import { catalog } from "../../src/catalog/catalog.js";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import type { Judged } from "../../src/migrate/judge.js";
import { counterparts } from "../../src/migrate/known.js";
import { migrate } from "../../src/migrate/migrate.js";

const engine = openEngine();
afterAll(() => engine.close());

async function judge(entries: string): Promise<readonly Judged[]> {
  const files = [
    { file: "config.js", bytes: Buffer.from(`window.esriGeowConfig = { ${entries} };`) },
  ];
  const { properties } = await migrate(files, { target: "12.1", takesAll: true, engine });
  return properties;
}

const NOT_SET = "which counted as not set.";
const TEXT = "the portal expects a text.";
const TEXTS = "the portal expects a list of texts.";
const MINUTES = "the portal expects a whole number of minutes.";

describe("a value of another type is invalid", () => {
  test.each([
    ["tokenExpiration: null", `null, ${NOT_SET}`],
    ["webAppBuilderEnabled: undefined", `undefined, ${NOT_SET}`],
    ['surveyUrl: " "', `the text " ", ${NOT_SET}`],
    ["surveyUrl: 5", `the number 5; ${TEXT}`],
    ['webAppBuilderEnabled: "false"', 'the text "false", which acted as true.'],
    ["webAppBuilderEnabled: 0", "the number 0, which acted as false."],
    ["configurePortalAGOEnv: true", "true; the portal expects a text, or false."],
    ['configurePortalAGOEnv: " False "', 'the text " False ", which acted as true.'],
    ['tokenExpiration: "60"', 'the text "60", which acted as the number 60.'],
    ["tokenExpiration: 1.5", `the number 1.5; ${MINUTES}`],
    ["tokenExpiration: 0 / 0", `the number NaN; ${MINUTES}`],
    ["tokenExpiration: 1e999", `the number Infinity; ${MINUTES}`],
    ['tokenExpiration: ["a"]', `a list with the text "a"; ${MINUTES}`],
    ["httpsDomains: {}", `an object; ${TEXTS}`],
    ['httpsDomains: ["a", 5]', `a list with the number 5; ${TEXTS}`],
    ["httpsDomains: [null]", `a list with null; ${TEXTS}`],
    ['footerLinks: ["a"]', 'a list with the text "a"; the portal expects a list of objects.'],
  ])("%s", async (entry, is) => {
    const name = entry.replace(/:.*/, "");
    const [found] = await judge(entry);
    expect(found).toMatchObject({ outcome: "invalid", message: `"${name}" is ${is}` });
    const [sentence, line = `  ${name}: `] = found?.help?.split("\n") ?? [];
    expect(sentence).not.toBe("");
    expect(line).toContain(`  ${name}: `);
  });
});

test.each(counterparts())("a value of the type of $inFile is migrated", async (setting) => {
  const { property, inFile } = setting;
  const values = [property.example, property.default, property.disconnected];
  for (const value of values.filter((each) => each !== undefined)) {
    const [found] = await judge(`${inFile}: ${JSON.stringify(value)}`);
    expect(found).toMatchObject({ outcome: "migrated", value });
  }
});

test("the old portal ignored the spelling of the reference", async () => {
  const [found] = await judge("searchPlatformOnlineEnabled: false");
  expect(found).toMatchObject({
    outcome: "invalid",
    message:
      'The old portal read "searchArcGISOnlineEnabled" and ignored "searchPlatformOnlineEnabled".',
  });
});

test.each([0, -5])("an expiration of %s minutes is migrated", async (value) => {
  const [found] = await judge(`tokenExpiration: ${value}`);
  expect(found).toMatchObject({ outcome: "migrated", value });
});

describe("names that are no settings", () => {
  test("a name that portals were shipped with is taken for no slip of a setting", async () => {
    const found = await judge(catalog.oldNames.map((name) => `${name}: null`).join());
    expect(found.map(({ name }) => name).toSorted()).toEqual(catalog.oldNames.toSorted());
    expect(found.filter(({ remarks }) => remarks.length > 0)).toEqual([]);
    expect(new Set(found.map(({ outcome }) => outcome))).toEqual(new Set(["no-counterpart"]));
  });

  test.each([
    ["tokenExpiraton", "tokenExpiration"],
    ["tokenexpiration", "tokenExpiration"],
    ["serchArcGISOnlineEnabled", "searchArcGISOnlineEnabled"],
    ["showInAppLaucher", "showInAppLauncher"],
    ["httpDomains", "httpsDomains"],
  ])("%s is taken for %s", async (name, meant) => {
    const [found] = await judge(`${name}: null`);
    expect(found?.remarks.map(({ code, message }) => [code, message])).toEqual([
      ["near-name", expect.stringContaining(`Did you mean "${meant}"`) as string],
    ]);
  });
});

// What migrate says of wrong values, for each type of setting, and of names that are no settings.
import { afterAll, describe, expect, test } from "vitest";
import { catalog } from "../../src/catalog/catalog.js";
import type { Property } from "../../src/catalog/facts.js";
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

const NOT_SET = { null: "null", undefined: "undefined" };
const NOT_WHOLE = {
  "1.5": "the number 1.5",
  "0 / 0": "the number NaN",
  "{}": "an object",
  "{ url: 5 }": "an object",
};
const OTHERS = { "0": "the number 0", "-5": "the number -5", ...NOT_WHOLE };
const LISTS = { "[]": "a list", '["a"]': "a list" };
const BOOLEANS = { true: "true", false: "false" };
const TEXTS = { '""': 'the text ""', '"false"': 'the text "false"', '"a"': 'the text "a"' };

type Told = Readonly<Record<string, string>>;

const each = (values: Told, told: (value: string) => string): Told =>
  Object.fromEntries(Object.entries(values).map(([text, value]) => [text, told(value)]));

const FALSE = new Set(["false", "0", "0 / 0", '""']);
const acted = (values: Told): Told =>
  Object.fromEntries(
    Object.entries(values).map(([text, value]) => [
      text,
      `is ${value}, which acted as ${String(!FALSE.has(text))}`,
    ]),
  );

const noList = each(
  { ...OTHERS, ...BOOLEANS, ...TEXTS },
  (it) => `is ${it}, which counted as no list`,
);
const noTexts = {
  ...noList,
  '["a", 5]': "holds the number 5 as entry 2, which counted as no text",
  "[null]": "holds null as entry 1, which counted as no text",
  '["a", ["b"]]': "holds a list as entry 2, which counted as no text",
};

/** By type: what is none of it, and what is said of that. */
const WRONG: Readonly<Record<string, Told>> = {
  boolean: acted({
    ...OTHERS,
    ...LISTS,
    ...TEXTS,
    '"true"': 'the text "true"',
    "1": "the number 1",
  }),
  "string or `false`": acted({
    ...OTHERS,
    ...LISTS,
    true: "true",
    '""': 'the text ""',
    '"true"': 'the text "true"',
    '"false"': 'the text "false"',
    '" False "': 'the text " False "',
    '"no"': 'the text "no"',
  }),
  minutes: {
    ...each(
      {
        ...NOT_WHOLE,
        ...LISTS,
        ...BOOLEANS,
        ...TEXTS,
        "1e999": "the number Infinity",
      },
      (it) => `is ${it}, which counted as no whole number of minutes`,
    ),
    '"60"': 'is the text "60", which acted as the number 60',
    '"0"': 'is the text "0", which acted as the number 0',
  },
  URL: {
    ...each({ ...OTHERS, ...LISTS, ...BOOLEANS }, (it) => `is ${it}, which counted as no address`),
    '""': 'is the text "", which counted as not set',
    '" "': 'is the text " ", which counted as not set',
  },
  "array of domain names": noTexts,
  "array of application titles": noTexts,
  footerLink: {
    ...noList,
    '["a"]': 'holds the text "a" as entry 1, which counted as no object',
    '[{ title: "a" }, null]': "holds null as entry 2, which counted as no object",
    "[[]]": "holds a list as entry 1, which counted as no object",
    '[{ title: "a", url: null }]': "holds null within entry 1, which counted as not set",
    "[{}, { more: [{ a: null }] }]": "holds null within entry 2, which counted as not set",
    "[{ title: 5 }]": "holds the number 5 as the title of entry 1, which counted as no text",
    '[{ title: "a" }, { url: {} }]':
      "holds an object as the url of entry 2, which counted as no address",
  },
};

const typeOf = ({ type }: Property) => (typeof type === "object" ? type.arrayOf : type);

const ONE_OF_EACH_TYPE = new Map(counterparts().map((each) => [typeOf(each.property), each]));

describe.each([...ONE_OF_EACH_TYPE.values()])("$inFile", ({ property, inFile }) => {
  const told = {
    ...each(NOT_SET, (it) => `is ${it}, which counted as not set`),
    ...WRONG[typeOf(property)],
  };

  test.each(Object.entries(told))("of the value %s", async (text, is) => {
    const [found] = await judge(`${inFile}: ${text}`);
    expect(found).toMatchObject({ outcome: "invalid", message: `"${inFile}" ${is}.` });
    const [sentence = "", line] = found?.help?.split("\n") ?? [];
    expect(sentence).not.toBe("");
    if (line !== undefined) expect(line).toMatch(new RegExp(`^  (?:${inFile}|title|url): `));
  });
});

test.each(counterparts())("$inFile takes values of its type", async ({ property, inFile }) => {
  const values = [property.example, property.default, property.disconnected];
  for (const value of values.filter((each) => each !== undefined)) {
    const [found] = await judge(`${inFile}: ${JSON.stringify(value)}`);
    expect(found).toMatchObject({ outcome: "migrated", value });
  }
});

test.each([0, -5])("an expiration of %s minutes is taken over", async (value) => {
  const [found] = await judge(`tokenExpiration: ${value}`);
  expect(found).toMatchObject({ outcome: "migrated", value });
});

test("each type of setting has values that are none of it", () => {
  const types = new Set(counterparts().map(({ property }) => typeOf(property)));
  expect(Object.keys(WRONG).toSorted()).toEqual([...types].toSorted());
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
    expect(found?.remarks.map(({ code, help }) => [code, help])).toEqual([
      ["near-name", expect.stringContaining(`Did you mean "${meant}"`) as string],
    ]);
  });
});
